package io.updraft.transport.session;

/**
 * What may have been lost with a channel.
 *
 * @param reason why the channel is gone, for people, one line
 * @param frames frames that were taken by offer and not known to have reached the peer's handler: none of them, some first
 *     ones or all of them did
 * @param bytes the bytes of these frames
 * @param refused whether the peer, or this side, refused the other: a wrong secret, topology or version. Trying again is
 *     pointless until somebody changes something
 */
public record Loss(String reason, long frames, long bytes, boolean refused) {}
