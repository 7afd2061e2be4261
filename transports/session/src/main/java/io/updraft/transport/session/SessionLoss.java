package io.updraft.transport.session;

/**
 * The frames that may have been lost with a channel.
 *
 * @param reason why the channel was lost, as one line for people
 * @param frames number of frames taken by offer and not known to have reached the peer's handler; of these frames none, a
 *     prefix or all may have reached it
 * @param bytes the bytes of these frames
 * @param refused whether one side refused the other, because of a wrong secret, topology or version; reconnecting cannot
 *     succeed until the configuration changes
 */
public record SessionLoss(String reason, long frames, long bytes, boolean refused) {}
