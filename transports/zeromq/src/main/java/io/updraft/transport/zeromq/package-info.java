/**
 * Channels over ZeroMQ, implemented with JeroMQ: the baseline in Yahoo's measurements of Storm.
 *
 * <pre>
 *   Channel                                  Channel ... one for each peer
 *      |                                        |
 *   DEALER, one for each channel  ---ZMTP---  ROUTER, one for each binding
 *      |                                        |
 *   I/O threads of JeroMQ                    I/O threads of JeroMQ
 * </pre>
 *
 * <p>ZeroMQ hides facts that a channel needs: which peers are connected, which frames have been sent, and when a peer is lost.
 * So a channel has its own handshake (OPEN, OPENED, CLOSE) and counts the bytes that the peer has processed (CREDIT). JeroMQ
 * inserts a message (LOST) into the stream where a connection ends. See {@link io.updraft.transport.zeromq.ZeroMqProtocol}.
 */
package io.updraft.transport.zeromq;
