package io.updraft.bench.topology;

/** What a task counts. */
public enum Counter {
    /** Messages emitted by a spout. */
    EMITTED,
    /** Tuples received by a bolt. */
    RECEIVED,
    /** Those of them that came from another worker. */
    CROSSED,
    /** Messages whose spout was told of success. */
    ACKED,
    /** Messages whose spout was told of failure. */
    FAILED
}
