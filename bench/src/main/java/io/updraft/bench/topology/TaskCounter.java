package io.updraft.bench.topology;

/** The counters of a task. */
public enum TaskCounter {
    EMITTED,
    RECEIVED,
    /** Tuples received by a bolt from another worker. */
    CROSSED,
    ACKED,
    /** Messages failed at their spout. */
    FAILED
}
