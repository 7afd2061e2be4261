package io.updraft.cluster.codec;

import io.updraft.engine.tuple.EngineTuple;

/** Hears of tuples that cannot be sent, or not be received. Their trees have to fail: see {@link Trees#fail}. */
@FunctionalInterface
public interface RefusedTuples {

    /**
     * A tuple goes no further; all others of its batch do. Called by the thread that encodes or decodes; on the receiving side
     * after the whole frame was read. Must not throw.
     *
     * @param tuple the tuple; on the receiving side without the values that could not be read
     * @param target the task it was to go to
     * @param reason one line that names component, stream, and what is wrong with which field
     * @param cause what was thrown, or null
     */
    void onRefused(EngineTuple tuple, int target, String reason, Throwable cause);
}
