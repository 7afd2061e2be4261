package io.updraft.bench.aggregate.table;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/** The state shared by the components and the main thread of a child JVM, which has one topology. Any thread. */
final class TableState {

    /** Whether the spout emits. */
    static volatile boolean emitting = true;
    /** The number of emitted records. Up to 255 behind while the spout emits, exact when it has stopped. */
    static volatile long emitted;
    /** Whether the spout has stopped. */
    static volatile boolean stopped;
    /** The number of groups in results. */
    static final AtomicLong GROUPS = new AtomicLong();
    /** The number of records counted in results. */
    static final AtomicLong COUNTED = new AtomicLong();

    /** The sums of the measures over all results. */
    static volatile AtomicLongArray sums;

    private TableState() {}
}
