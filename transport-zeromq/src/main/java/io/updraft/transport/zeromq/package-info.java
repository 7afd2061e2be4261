/**
 * Channels over ZeroMQ, with JeroMQ: the baseline of Yahoo's measurements of Storm.
 *
 * <pre>
 *   Channel                                  Channel ... one for each peer
 *      |                                        |
 *   DEALER, one for each channel  ---ZMTP---  ROUTER, one for each binding
 *      |                                        |
 *   I/O threads of JeroMQ                    I/O threads of JeroMQ
 * </pre>
 *
 * <p>ZeroMQ hides what a channel must know: who is connected, what has been sent, and when a peer is gone. So a channel brings
 * a handshake of its own (OPEN, OPENED, CLOSE), counts what the peer has worked off (CREDIT), and has JeroMQ put a message
 * (LOST) into the stream where a connection ends. See {@link io.updraft.transport.zeromq.Wire}.
 */
package io.updraft.transport.zeromq;
