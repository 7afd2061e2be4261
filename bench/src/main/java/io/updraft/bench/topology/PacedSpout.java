package io.updraft.bench.topology;

import io.updraft.bench.spec.Shape;

/**
 * Emits on a fixed schedule, independent of the completion of earlier messages (open loop). Message k is due at start + k ×
 * interval, and its latency counts from that time. When a runtime stalls, every message due during the stall counts as late,
 * which avoids coordinated omission (Gil Tene, "How NOT to Measure Latency").
 */
final class PacedSpout extends CountingSpout {

    private static final long serialVersionUID = 1L;

    private final int messageSize;
    private final double nanosBetween;
    private transient PreparedMessages messages;
    private transient long start;

    PacedSpout(String runId, Shape shape) {
        super(runId, shape.acked());
        this.messageSize = shape.messageSize();
        this.nanosBetween = 1e9 * shape.spouts() / shape.rate();
    }

    @Override
    void opened() {
        messages = new PreparedMessages(messageSize);
    }

    @Override
    void next(long sequence) {
        long now = System.nanoTime();
        if (sequence == 0 && start == 0) {
            start = now;
        }
        if (now - due(sequence) >= 0) {
            emit(message(sequence));
        }
    }

    @Override
    void completed(long sequence) {
        probe().recordLatency(due(sequence));
    }

    @Override
    Object message(long sequence) {
        return messages.get(sequence);
    }

    private long due(long sequence) {
        return start + (long) (sequence * nanosBetween);
    }
}
