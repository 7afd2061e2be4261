package io.updraft.bench.topology;

/** A question or command of the harness to the components of a run. The answer is always a {@link RunReport}. */
public enum BenchQuery {
    COUNTS,
    START_WINDOW,
    END_WINDOW,
    /** Stop the spouts from emitting. */
    QUIET,
    /** Report counts, latencies and words; only when the run has drained. */
    ALL
}
