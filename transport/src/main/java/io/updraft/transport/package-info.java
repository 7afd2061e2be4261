/**
 * The contract of a transport: the few operations that Netty, ZeroMQ, Aeron and UCX all can do, and no more.
 *
 * <pre>
 *   worker A                                                       worker B
 *   session   handshake, credit, fragments, heartbeats, reconnect   session      io.updraft.transport.session
 *     |                                                               |
 *   channel   ordered messages of up to Channel.maxMessage() bytes   channel     this package
 *     |                                                               |
 *   TCP, shared memory, RDMA ...                                     the transport's own affair
 * </pre>
 *
 * <p>Everything of a transport belongs to one thread, its <i>owner</i>: it polls, and every callback comes to it from
 * within {@link io.updraft.transport.Transport#poll}. Only {@link io.updraft.transport.Transport#wakeUp} may be called by
 * others. So a transport needs no locks, and whoever uses it decides which thread that is.
 */
package io.updraft.transport;
