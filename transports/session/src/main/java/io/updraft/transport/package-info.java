/**
 * The contract of a transport: only the operations that Netty, ZeroMQ, Aeron and UCX all support.
 *
 * <pre>
 *   worker A                                                       worker B
 *   session   handshake, credit, fragments, heartbeats, reconnect   session      io.updraft.transport.session
 *     |                                                               |
 *   channel   ordered messages of up to Channel.maxMessage() bytes   channel     this package
 *     |                                                               |
 *   TCP, shared memory, RDMA ...                                     chosen by the transport
 * </pre>
 *
 * <p>A transport and its channels and bindings belong to one thread, the <i>owner</i>. The owner polls, and every callback runs
 * on the owner from within {@link io.updraft.transport.Transport#poll}. Other threads may only call
 * {@link io.updraft.transport.Transport#wakeUp}. So a transport needs no locks, and its user chooses the owner.
 */
package io.updraft.transport;
