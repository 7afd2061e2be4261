package io.updraft.bench.topology.state;

/** The counters of a task. */
public enum TaskCounter {
    /** Messages emitted by a spout. */
    EMITTED,
    /** Tuples received by a bolt. */
    RECEIVED,
    /** Tuples received by a bolt from another worker. */
    CROSSED,
    /** Messages acked at their spout. */
    ACKED,
    /** Messages failed at their spout. */
    FAILED
}
