package io.updraft.cluster.link;

/**
 * The frames that this worker has exchanged with the others, over the connections that are open.
 *
 * @param quiet whether nothing is queued within the link or, where the engine is included, in flight in the worker
 * @param sent frames with tuples, reports or losses that a connection has taken
 * @param received frames with tuples, reports or losses that the engine has taken
 */
public record Traffic(boolean quiet, long sent, long received) {
    /** The traffic of a worker that is the only one. */
    public static final Traffic NONE = new Traffic(true, 0, 0);
}
