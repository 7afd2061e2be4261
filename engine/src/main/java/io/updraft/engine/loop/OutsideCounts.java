package io.updraft.engine.loop;

import java.util.concurrent.atomic.LongAdder;

/** The counters of the calls that user threads make through the collectors of one executor. */
final class OutsideCounts {

    final LongAdder emitted = new LongAdder();
    final LongAdder transferred = new LongAdder();
    final LongAdder acked = new LongAdder();
    final LongAdder failed = new LongAdder();
}
