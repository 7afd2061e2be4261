package io.updraft.bench.topology.state;

/** A question or command of the harness to the components of a run. The answer is always a {@link RunReport}. */
public enum BenchQuery {
    /** Report the counts only. */
    COUNTS,
    /** Begin the measurement. */
    START_WINDOW,
    /** End the measurement. */
    END_WINDOW,
    /** Stop the spouts from emitting. */
    QUIET,
    /** Report counts, latencies and words; only when the run has drained. */
    ALL
}
