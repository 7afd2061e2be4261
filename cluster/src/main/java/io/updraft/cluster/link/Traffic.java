package io.updraft.cluster.link;

/**
 * What has gone between this worker and the others, in the connections that live.
 *
 * @param quiet whether nothing is on its way within the link itself
 * @param sent frames with tuples, reports or losses that a connection has taken
 * @param received frames of this kind that were worked off
 */
public record Traffic(boolean quiet, long sent, long received) {

    /** Of a worker that has no others. */
    public static final Traffic NONE = new Traffic(true, 0, 0);
}
