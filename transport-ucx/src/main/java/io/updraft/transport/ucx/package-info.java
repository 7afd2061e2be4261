/**
 * A transport over <a href="https://openucx.org">UCX</a>: RDMA (InfiniBand, RoCE) where there is a device, shared memory or TCP
 * where not.
 *
 * <p>UCX itself is the system's; the binding is jucx. Rules that keep the pair safe, found by trial and from their sources:
 *
 * <ul>
 *   <li>Only active messages, only eager ones: their callbacks come in order, and rendezvous completions do not. Each frame has
 *       a sequence all the same, because UCX does not promise it.
 *   <li>An eager message is copied out in the callback; handlers are called after {@code progress} has returned, so they may
 *       send and close as they like.
 *   <li>No exception may leave a callback, and no callback is given to a send: its request is looked at instead.
 *   <li>What is sent lies in slabs that are registered once and live until the worker is gone.
 *   <li>Endpoints are in peer error mode, so that a peer that dies is reported and an endpoint can be closed by force. For
 *       shared memory that must be switched on ({@code UCX_MM_ERROR_HANDLING=y}).
 *   <li>UCX has no flow control above its transports; {@link io.updraft.transport.ucx.Outgoing} has a window.
 * </ul>
 *
 * <pre>
 *   UcxTransport   owner thread: poll, await, the lists of what needs attention
 *     UcxListeners, UcxDialer   where peers reach us, and how we reach peers
 *     UcxChannel   life of a channel
 *       Outgoing   messages into segments, window, sends under way
 *       Incoming   order of frames, segments into messages, credit
 *     Ucx          the native side: context, worker, endpoints
 *       SegmentPool  registered memory
 * </pre>
 */
package io.updraft.transport.ucx;
