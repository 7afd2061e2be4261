package io.updraft.bench.aggregate.table;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/** What the components of the one topology of a child JVM tell. Any thread. */
final class TableState {

    /** Whether the spout is to go on. */
    static volatile boolean emitting = true;
    /** How many records were emitted; behind by some hundred while the spout emits, exact when it has stopped. */
    static volatile long emitted;
    /** Whether the spout has stopped. */
    static volatile boolean stopped;
    /** How many groups came out. */
    static final AtomicLong GROUPS = new AtomicLong();
    /** How many records the groups that came out have. */
    static final AtomicLong COUNTED = new AtomicLong();

    /** The sums of measures of all that came out. */
    static volatile AtomicLongArray sums;

    private TableState() {}
}
