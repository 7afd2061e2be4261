package io.updraft.cluster.codec;

import io.updraft.engine.tuple.EngineTuple;

/** Receives the tuples that cannot be sent or received. The receiver must fail their tuple trees: see {@link Trees#fail}. */
@FunctionalInterface
public interface RefusedTuples {

    /**
     * Called for a tuple that is dropped. All other tuples of its batch are delivered. Called by the thread that encodes or
     * decodes; on the receiving side after the whole frame has been read. Must not throw.
     *
     * @param tuple the tuple; on the receiving side without the values that could not be read
     * @param target the task that the tuple was sent to
     * @param reason one line that names the component, the stream, the field and the error
     * @param cause the exception, or null
     */
    void onRefused(EngineTuple tuple, int target, String reason, Throwable cause);
}
