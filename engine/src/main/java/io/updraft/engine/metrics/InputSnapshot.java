package io.updraft.engine.metrics;

/**
 * What one bolt has done with the tuples of one stream since the start.
 *
 * @param component the component that they come from
 * @param stream the stream
 * @param executed tuples executed
 * @param acked tuples acked
 * @param failed tuples failed
 * @param execute time in {@code execute}; of a bolt with one input all of it, otherwise sampled
 * @param process time from the beginning of {@code execute} to the ack, sampled; nothing without acking
 */
public record InputSnapshot(
        String component,
        String stream,
        long executed,
        long acked,
        long failed,
        LatencySum execute,
        LatencySum process) {

    /**
     * Adds.
     *
     * @param other what was done elsewhere with the same stream
     * @return both
     */
    public InputSnapshot plus(InputSnapshot other) {
        return new InputSnapshot(
                component,
                stream,
                executed + other.executed,
                acked + other.acked,
                failed + other.failed,
                execute.plus(other.execute),
                process.plus(other.process));
    }

    /**
     * Subtracts.
     *
     * @param before what had been done at an earlier time
     * @return what was done since
     */
    public InputSnapshot since(InputSnapshot before) {
        return new InputSnapshot(
                component,
                stream,
                executed - before.executed,
                acked - before.acked,
                failed - before.failed,
                execute.since(before.execute),
                process.since(before.process));
    }
}
