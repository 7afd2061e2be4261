package io.updraft.bench.topology;

import io.updraft.bench.spec.Shape;
import org.apache.storm.task.TopologyContext;

/** Emits the sentences of {@link Text} in an endless loop, as storm-perf's {@code FileReadSpout} does with a file. */
final class SentenceSpout extends CountingSpout {

    private static final long serialVersionUID = 1L;

    private transient Text text;
    private transient Sampler sampler;

    SentenceSpout(String runId, Shape shape) {
        super(runId, shape.acked());
    }

    @Override
    void opened(TopologyContext context) {
        text = new Text();
        sampler = new Sampler(probe());
    }

    @Override
    void next(long sequence) {
        if (acked()) {
            sampler.emitting(sequence);
        }
        emit(text.sentence(sequence));
    }

    @Override
    void completed(long sequence) {
        sampler.completed(sequence);
    }
}
