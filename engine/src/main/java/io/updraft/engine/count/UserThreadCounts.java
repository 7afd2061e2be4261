package io.updraft.engine.count;

import java.util.concurrent.atomic.LongAdder;

/** The counters of the calls that user threads make through the collectors of one executor. */
public final class UserThreadCounts {

    private final LongAdder emitted = new LongAdder();
    private final LongAdder transferred = new LongAdder();
    private final LongAdder acked = new LongAdder();
    private final LongAdder failed = new LongAdder();

    public void countEmit(int tasks) {
        emitted.increment();
        transferred.add(tasks);
    }

    public void countSettled(boolean ack) {
        (ack ? acked : failed).increment();
    }

    public long emitted() {
        return emitted.sum();
    }

    public long transferred() {
        return transferred.sum();
    }

    public long acked() {
        return acked.sum();
    }

    public long failed() {
        return failed.sum();
    }
}
