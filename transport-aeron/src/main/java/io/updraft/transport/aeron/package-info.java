/**
 * Channels over Aeron: UDP between hosts and processes, shared memory between processes that share a media driver.
 *
 * <pre>
 *   who connects                                           who listens
 *   publication  --- OPEN, DATA, CLOSE ---------------&gt;    image of the binding's subscription
 *   image of the subscription for answers  &lt;--- OPENED, DATA, CLOSE ---  publicationlt;-- OPENED, DATA, CLOSE ---  publication
 * </pre>
 *
 * <p>Aeron's streams go one way, so a channel is two of them: the one that connects publishes to the address of the binding and
 * says at which port it wants the answer; the other publishes there. Each publication has a session of its own, so that at the
 * receiver each is an image of its own: the channel's. Order, loss, and flow are Aeron's affair.
 *
 * <p>The media driver has a thread of its own. The client has none: the owner runs it as it polls.
 */
package io.updraft.transport.aeron;
