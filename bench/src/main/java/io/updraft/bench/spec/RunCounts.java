package io.updraft.bench.spec;

/**
 * The counts of a run, summed over all tasks.
 *
 * @param emitted messages that spouts emitted
 * @param completed completed messages: acked or, when messages are not tracked, received by the last level
 * @param transferred tuples that bolts received
 * @param crossed tuples that bolts received from another worker
 * @param acked messages acked at their spout
 * @param failed messages failed at their spout
 */
public record RunCounts(long emitted, long completed, long transferred, long crossed, long acked, long failed) {

    /** All counts are zero. */
    public static final RunCounts NONE = new RunCounts(0, 0, 0, 0, 0, 0);

    /** Returns the difference to earlier counts. */
    public RunCounts since(RunCounts earlier) {
        return new RunCounts(
                emitted - earlier.emitted,
                completed - earlier.completed,
                transferred - earlier.transferred,
                crossed - earlier.crossed,
                acked - earlier.acked,
                failed - earlier.failed);
    }

    /** {@return the number of messages in flight} */
    public long inFlight() {
        return emitted - completed - failed;
    }
}
