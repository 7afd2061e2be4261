package io.updraft.engine.snapshot;

/**
 * The counters of one bolt for the tuples of one input stream since the start.
 *
 * @param component the component that emits on the stream
 * @param stream the stream
 * @param executed tuples executed
 * @param acked tuples acked
 * @param failed tuples failed
 * @param execute time in {@code execute}; complete for a bolt with one input, otherwise sampled
 * @param process time from the beginning of {@code execute} to the ack, sampled; empty without acking
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
     * {@return the sum}
     *
     * @param other counters of the same stream from another executor or process
     */
    public InputSnapshot plus(InputSnapshot other) {
        return add(other, 1);
    }

    /**
     * {@return the difference}
     *
     * @param before the counters at an earlier time
     */
    public InputSnapshot since(InputSnapshot before) {
        return add(before, -1);
    }

    private InputSnapshot add(InputSnapshot other, int sign) {
        return new InputSnapshot(
                component,
                stream,
                executed + sign * other.executed,
                acked + sign * other.acked,
                failed + sign * other.failed,
                execute.add(other.execute, sign),
                process.add(other.process, sign));
    }
}
