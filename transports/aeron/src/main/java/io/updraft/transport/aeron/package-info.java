/**
 * Channels over Aeron: UDP between hosts and processes, shared memory between processes that share a media driver.
 *
 * <pre>
 *   connecting side                                              accepting side
 *   publication                            --- OPEN, DATA, CLOSE ---&gt;    image of the binding's subscription
 *   image of the subscription for answers  &lt;--- OPENED, DATA, CLOSE ---  publication
 * </pre>
 *
 * <p>Aeron's streams go one way, so a channel consists of two streams. The connecting side publishes to the address of the
 * binding, and sends the port at which it expects the answer. The accepting side publishes to that port. Each publication has
 * its own session, so the receiver sees an image for each channel. Aeron handles order, loss and flow control.
 *
 * <p>The media driver has its own thread. The client has none: the owner runs it when it polls.
 */
package io.updraft.transport.aeron;
