/**
 * Sessions: what every transport needs and none has to know. A session is a lasting relation between two workers; channels
 * come and go under it.
 *
 * <p>A session agrees on a version, proves to each other that both belong to the same topology, limits what is under way by
 * credit, cuts long frames into messages and joins them, notices a peer that is gone without a word, opens a new channel with
 * back-off and jitter, and says what may have been lost.
 *
 * <p>{@link io.updraft.transport.session.Messenger} is where it begins. Three rules explain most of it:
 *
 * <ul>
 *   <li>A frame is charged to the sender's credit when its first byte is sent, and to the receiver's memory when it comes;
 *       it counts as received when the handler has been given it.
 *   <li>Each side tells the other, with each heartbeat and whenever half of the credit has come back, all that it has received
 *       and lets the other send since the channel was opened. So a lost channel leaves no doubt but about the last heartbeat.
 *   <li>Of two channels of one worker the newer one counts, so a peer that comes back need not wait until its old channel
 *       is noticed to be dead.
 * </ul>
 *
 * <p>The handshake proves who opened the channel. It does not encrypt, nor keep somebody in between from changing what follows:
 * where that matters the transport must use TLS.
 *
 * <p>Everything belongs to the owner of the transport: see {@link io.updraft.transport}.
 */
package io.updraft.transport.session;
