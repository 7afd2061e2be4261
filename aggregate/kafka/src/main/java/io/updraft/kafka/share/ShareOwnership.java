package io.updraft.kafka.share;

/**
 * The ownership of a share by one process, from its assignment until it is revoked or lost. Later owners of the same share have
 * greater epochs. The epoch thus orders the actions of owners, and distinguishes a former owner from the current one.
 *
 * @param share the share
 * @param epoch the fencing token, which grows with each ownership of this share
 */
public record ShareOwnership(Share share, long epoch) {

    @Override
    public String toString() {
        return share + " in epoch " + epoch;
    }
}
