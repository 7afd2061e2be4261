package io.updraft.bench.topology;

import io.updraft.bench.spec.Shape;
import org.apache.storm.task.TopologyContext;

/** Emits 0, 1, 2, ... {@link #LIMIT} - 1, and starts again at 0. */
final class NumberSpout extends CountingSpout {

    /** The exclusive upper bound of emitted numbers. */
    static final int LIMIT = 1000;

    private static final long serialVersionUID = 1L;

    private transient Sampler sampler;

    NumberSpout(String runId, Shape shape) {
        super(runId, shape.acked());
    }

    @Override
    void opened(TopologyContext context) {
        sampler = new Sampler(probe());
    }

    @Override
    void next(long sequence) {
        if (acked()) {
            sampler.emitting(sequence);
        }
        emit((int) (sequence % LIMIT));
    }

    @Override
    void completed(long sequence) {
        sampler.completed(sequence);
    }
}
