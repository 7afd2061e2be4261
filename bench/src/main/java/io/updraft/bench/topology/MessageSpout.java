package io.updraft.bench.topology;

import io.updraft.bench.spec.Shape;
import org.apache.storm.task.TopologyContext;

/** Emits messages of one size, one per {@code nextTuple} call. */
final class MessageSpout extends CountingSpout {

    private static final long serialVersionUID = 1L;

    private final int messageSize;
    private transient Messages messages;
    private transient Sampler sampler;

    MessageSpout(String runId, Shape shape) {
        super(runId, shape.acked());
        this.messageSize = shape.messageSize();
    }

    @Override
    void opened(TopologyContext context) {
        messages = new Messages(messageSize);
        sampler = new Sampler(probe());
    }

    @Override
    void next(long sequence) {
        if (acked()) {
            sampler.emitting(sequence);
        }
        emit(messages.get(sequence));
    }

    @Override
    void completed(long sequence) {
        sampler.completed(sequence);
    }
}
