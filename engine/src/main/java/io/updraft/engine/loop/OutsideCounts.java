package io.updraft.engine.loop;

import java.util.concurrent.atomic.LongAdder;

/** What threads of the user's own have done through the collectors of one executor. */
final class OutsideCounts {

    final LongAdder emitted = new LongAdder();
    final LongAdder transferred = new LongAdder();
    final LongAdder acked = new LongAdder();
    final LongAdder failed = new LongAdder();
}
