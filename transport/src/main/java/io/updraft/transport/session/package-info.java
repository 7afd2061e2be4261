/**
 * Sessions: what every transport needs and none has to know. A session is a lasting relation between two workers; channels
 * come and go under it.
 *
 * <p>A session agrees on a version, proves to each other that both belong to the same topology, limits what is under way by
 * credit, cuts long frames into messages and joins them, notices a peer that is gone without a word, opens a new channel with
 * back-off and jitter, and says what may have been lost.
 *
 * <p>Everything belongs to the owner of the transport: see {@link io.updraft.transport}.
 */
package io.updraft.transport.session;
