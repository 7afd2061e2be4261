package io.updraft.engine.metrics;

/**
 * What one component has done on one of its output streams since the start.
 *
 * @param stream the stream
 * @param emitted calls of {@code emit} and {@code emitDirect}
 * @param transferred tuples sent to other tasks by those calls
 * @param acked tuple trees completed that began on it (spouts)
 * @param failed tuple trees failed or timed out that began on it (spouts)
 * @param complete time from a spout's emit to the completion of the tree, sampled (spouts)
 */
public record OutputSnapshot(
        String stream, long emitted, long transferred, long acked, long failed, LatencySum complete) {

    /**
     * Adds.
     *
     * @param other what was done elsewhere on the same stream
     * @return both
     */
    public OutputSnapshot plus(OutputSnapshot other) {
        return new OutputSnapshot(
                stream,
                emitted + other.emitted,
                transferred + other.transferred,
                acked + other.acked,
                failed + other.failed,
                complete.plus(other.complete));
    }

    /**
     * Subtracts.
     *
     * @param before what had been done at an earlier time
     * @return what was done since
     */
    public OutputSnapshot since(OutputSnapshot before) {
        return new OutputSnapshot(
                stream,
                emitted - before.emitted,
                transferred - before.transferred,
                acked - before.acked,
                failed - before.failed,
                complete.since(before.complete));
    }
}
