package io.updraft.bench.topology;

import io.updraft.bench.spec.Shape;

/** Emits 0, 1, 2, ... {@link #LIMIT} - 1, and starts again at 0. */
final class SequenceSpout extends CountingSpout {

    /** The exclusive upper bound of emitted numbers. */
    static final int LIMIT = 1000;

    private static final long serialVersionUID = 1L;

    SequenceSpout(String runId, Shape shape) {
        super(runId, shape.acked());
    }

    @Override
    Object message(long sequence) {
        return (int) (sequence % LIMIT);
    }
}
