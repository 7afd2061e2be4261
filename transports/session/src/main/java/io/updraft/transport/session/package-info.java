/**
 * Sessions: the protocol that is the same for every transport. A session is a connection between two workers that outlives
 * channels.
 *
 * <p>A session negotiates the version and authenticates both sides as members of the same topology. It limits the bytes in
 * flight by credit, and splits long frames into messages and joins them. It detects a peer that is silently lost, opens a new
 * channel with back-off and jitter, and reports the frames that may have been lost.
 *
 * <p>{@link io.updraft.transport.session.Messenger} is the entry point. Three rules explain most of the protocol:
 *
 * <ul>
 *   <li>A frame is charged to the sender's credit when its first byte is sent, and to the receiver's memory when it arrives.
 *       The frame counts as received once the handler has received it.
 *   <li>With each heartbeat, and whenever half of the credit has come back, each side sends the totals that it has received and
 *       granted since the channel was opened. So after a lost channel, only frames since the last heartbeat are in doubt.
 *   <li>Of two channels of one worker the newer channel is used, so a peer that reconnects need not wait until its old channel
 *       is detected as dead.
 * </ul>
 *
 * <p>The handshake authenticates the sides. It neither encrypts nor protects later messages against changes by an intermediary;
 * where that matters the transport must use TLS.
 *
 * <p>All objects belong to the owner of the transport; see {@link io.updraft.transport}.
 */
package io.updraft.transport.session;
