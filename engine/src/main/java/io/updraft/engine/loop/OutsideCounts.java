package io.updraft.engine.loop;

import java.util.concurrent.atomic.LongAdder;

/** The counters of the calls that user threads make through the collectors of one executor. */
final class OutsideCounts {

    private final LongAdder emitted = new LongAdder();
    private final LongAdder transferred = new LongAdder();
    private final LongAdder acked = new LongAdder();
    private final LongAdder failed = new LongAdder();

    void countEmit(int tasks) {
        emitted.increment();
        transferred.add(tasks);
    }

    void countSettled(boolean ack) {
        (ack ? acked : failed).increment();
    }

    long emitted() {
        return emitted.sum();
    }

    long transferred() {
        return transferred.sum();
    }

    long acked() {
        return acked.sum();
    }

    long failed() {
        return failed.sum();
    }
}
