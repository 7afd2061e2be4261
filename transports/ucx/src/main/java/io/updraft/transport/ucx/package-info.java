/**
 * A transport over <a href="https://openucx.org">UCX</a>: RDMA (InfiniBand, RoCE) where there is a device, else shared memory
 * or TCP.
 *
 * <p>UCX is the system's library; the Java binding is jucx. These rules keep the pair safe; they come from tests and from the
 * sources of both:
 *
 * <ul>
 *   <li>Only active messages are used, and only eager ones: their callbacks come in order, rendezvous completions do not. Each
 *       frame has a sequence nevertheless, because UCX does not guarantee the order.
 *   <li>An eager message is copied out in the callback. Handlers are called after {@code progress} has returned, so they may
 *       send and close at will.
 *   <li>No exception may leave a callback. A send has no callback: its request is polled instead.
 *   <li>Sent bytes are in slabs that are registered once and live until the worker is closed.
 *   <li>Endpoints are in peer error mode, so the death of a peer is reported, and an endpoint can be closed by force. For shared
 *       memory this mode must be enabled ({@code UCX_MM_ERROR_HANDLING=y}).
 *   <li>UCX has no flow control above its transports; {@link io.updraft.transport.ucx.UcxSender} has a window.
 * </ul>
 *
 * <pre>
 *   UcxTransport   owner thread: poll, await, the lists of channels with work
 *     UcxListeners, UcxDialer   channels opened by peers, and channels opened here
 *     UcxChannel   life of a channel
 *       UcxSender  messages into segments, window, sends in flight
 *       UcxReceiver  order of frames, segments into messages, credit
 *     Ucx          the native side: context, worker, endpoints
 *       SegmentPool  registered memory
 * </pre>
 */
package io.updraft.transport.ucx;
