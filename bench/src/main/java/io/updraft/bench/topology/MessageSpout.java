package io.updraft.bench.topology;

import io.updraft.bench.spec.Shape;

/** Emits messages of one size, one per {@code nextTuple} call. */
final class MessageSpout extends CountingSpout {

    private static final long serialVersionUID = 1L;

    private final int messageSize;
    private transient PreparedMessages messages;

    MessageSpout(String runId, Shape shape) {
        super(runId, shape.acked());
        this.messageSize = shape.messageSize();
    }

    @Override
    void opened() {
        messages = new PreparedMessages(messageSize);
    }

    @Override
    Object message(long sequence) {
        return messages.get(sequence);
    }
}
