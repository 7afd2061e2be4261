package io.updraft.bench.topology;

/** What the harness asks of the components of a run. The answer is always a {@link RunReport}. */
public enum Question {
    /** Only the counts. */
    COUNTS,
    /** Begin the measured part. */
    START_WINDOW,
    /** End the measured part. */
    END_WINDOW,
    /** Let the spouts emit no more. */
    QUIET,
    /** Everything, latencies and words included; only when the run has drained. */
    ALL
}
