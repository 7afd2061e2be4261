package io.updraft.engine.snapshot;

/**
 * The counters of one component for one of its output streams since the start.
 *
 * @param stream the stream
 * @param emitted calls of {@code emit} and {@code emitDirect}
 * @param transferred tuples sent to other tasks by those calls
 * @param acked completed tuple trees that began on the stream (spouts)
 * @param failed failed or timed-out tuple trees that began on the stream (spouts)
 * @param complete time from a spout's emit to the completion of the tree, sampled (spouts)
 */
public record OutputSnapshot(
        String stream, long emitted, long transferred, long acked, long failed, LatencySum complete) {

    /**
     * {@return the sum}
     *
     * @param other counters of the same stream from another executor or process
     */
    public OutputSnapshot plus(OutputSnapshot other) {
        return add(other, 1);
    }

    /**
     * {@return the difference}
     *
     * @param before the counters at an earlier time
     */
    public OutputSnapshot since(OutputSnapshot before) {
        return add(before, -1);
    }

    private OutputSnapshot add(OutputSnapshot other, int sign) {
        return new OutputSnapshot(
                stream,
                emitted + sign * other.emitted,
                transferred + sign * other.transferred,
                acked + sign * other.acked,
                failed + sign * other.failed,
                complete.add(other.complete, sign));
    }
}
