package io.updraft.engine.tuple;

import java.util.Arrays;
import java.util.function.LongPredicate;
import java.util.function.Predicate;

/**
 * The tuple trees of one spout executor, with the results of which the spouts have not been notified yet: spouts are notified
 * only in their turn.
 *
 * <p>Belongs to the thread that runs the executor. Between turns the loop that owns the executor may count acks.
 */
public final class SpoutTrees {

    /** Least number of timeout checks within one message timeout, and the longest time between two checks. */
    private static final int CHECKS_PER_TIMEOUT = 16;

    private static final long MAX_CHECK_NANOS = 1_000_000_000L;
    private static final int FIRST_TREES = 512;
    /** Value for no root; roots are positive. */
    private static final long NO_TREE = 0;

    private static final int MAX_TIMED_PER_TURN = 4;
    /** Later than all times at which trees were opened. */
    private static final long LATE = Long.MAX_VALUE / 2;

    private final TreeTracker tracker;
    private final EdgeIds edges;
    private final Results results;
    private final TreeTags tags;
    private final MessagePlaces places;

    /** 0 if trees never time out. */
    private final long timeoutNanos;

    private final long checkNanos;

    /** Completed trees of which the spouts are not notified, as pairs of longs; see completeLater. */
    private long[] complete = new long[FIRST_TREES];

    private int completeLength;

    /** Open trees before this root must be failed; NO_TREE if there are none. */
    private long invalidBefore = NO_TREE;

    /** The time of this turn, nanoseconds. */
    private long now;

    private long nextCheck;
    private int timedInTurn;
    private long completed;
    private long failed;
    private long timedOut;

    /** Receives the results, in a turn. */
    public interface Results {

        /**
         * Receives the opening time of some of the trees that complete.
         *
         * @param tag the number that is stored with the tree
         * @param since when it was opened, nanoseconds
         */
        void timed(int tag, long since);

        /**
         * Receives a complete tree, which is closed.
         *
         * @param tag the number that is stored with the tree
         * @param messageId the message
         */
        void completed(int tag, Object messageId);

        /**
         * Receives a tree that has failed or timed out, which is closed.
         *
         * @param tag the number that is stored with the tree
         * @param messageId the message
         * @param payload what is kept for a replay; null for nothing
         * @param reason why it failed
         */
        void failed(int tag, Object messageId, Object payload, String reason);
    }

    /**
     * Creates the state without trees.
     *
     * @param executor the number of the executor
     * @param withMessages whether a message is kept with each tree
     * @param firstRoot the root of the first tree
     * @param timeoutNanos the message timeout, 0 for none
     * @param tags the layout of the numbers that are stored with the trees
     * @param edges the numbers of new edges
     * @param origins finds the components of edges
     * @param results receives the results
     */
    public SpoutTrees(
            int executor,
            boolean withMessages,
            long firstRoot,
            long timeoutNanos,
            TreeTags tags,
            EdgeIds edges,
            EdgeOrigins origins,
            Results results) {
        this.tracker = new TreeTracker(FIRST_TREES, withMessages, executor, firstRoot);
        this.timeoutNanos = timeoutNanos;
        this.checkNanos =
                timeoutNanos == 0 ? MAX_CHECK_NANOS : Math.min(MAX_CHECK_NANOS, timeoutNanos / CHECKS_PER_TIMEOUT);
        this.tags = tags;
        this.edges = edges;
        this.results = results;
        this.places = new MessagePlaces(tracker, origins);
    }

    /** {@return the tracker, in which collectors open trees} */
    public TreeTracker tracker() {
        return tracker;
    }

    /** {@return where messages are, and where they timed out} */
    public MessagePlaces places() {
        return places;
    }

    /**
     * Begins a turn.
     *
     * @param turnStart the time, nanoseconds
     */
    public void beginTurn(long turnStart) {
        now = turnStart;
        tracker.at(turnStart);
        timedInTurn = 0;
    }

    /** {@return the number of open trees} */
    public int inFlight() {
        return tracker.inFlight();
    }

    /** {@return the number of trees that have timed out so far} */
    public long timedOut() {
        return timedOut;
    }

    /** {@return whether there are complete trees of which the spouts are not notified} */
    public boolean hasComplete() {
        return completeLength > 0;
    }

    /**
     * Counts acks. Called in a turn, or between turns by the loop that owns the executor.
     *
     * @param kind the kind of the report, one of {@link Batch}
     * @param root the tree
     * @param value what the report carries
     */
    public void ack(int kind, long root, long value) {
        if (kind == Batch.ACK) {
            if (tracker.ack(root, value)) {
                completeLater(root, 0);
            }
        } else {
            completeLater(root, value);
        }
    }

    /**
     * Processes and clears the reports of a batch.
     *
     * @param reports the batch
     * @return the number of reports
     */
    public int take(Batch reports) {
        int count = reports.reportCount();
        for (int i = 0; i < count; i++) {
            take(reports.kind(i), reports.root(i), reports.value(i));
        }
        reports.clearReports();
        return count;
    }

    private void take(int kind, long root, long value) {
        switch (kind) {
            case Batch.FAIL -> {
                if (tracker.isOpen(root)) {
                    fail(root, "failed");
                }
            }
            case Batch.RESET_TIMEOUT -> tracker.touch(root, now);
            case Batch.FAIL_ALL -> invalidate();
            default -> ack(kind, root, value);
        }
    }

    /**
     * Stores a completion, of which the spout is notified after its current call.
     *
     * @param root a tree
     * @param onlyEdges 0 if the tree is complete; otherwise the number of trees from this one on whose first edge was acked
     */
    private void completeLater(long root, long onlyEdges) {
        if (completeLength == complete.length) {
            complete = Arrays.copyOf(complete, completeLength * 2);
        }
        complete[completeLength] = root;
        complete[completeLength + 1] = onlyEdges;
        completeLength += 2;
    }

    /**
     * Invalidates all trees in flight, because a loss may affect any of them. From now on none of them can complete, whatever is
     * acked. In its next turn the spout is notified that they have failed. Called in a turn, or between turns by the loop that
     * owns the executor.
     */
    public void invalidate() {
        settleRuns();
        invalidBefore = tracker.invalidate(edges.next());
    }

    /** Applies the stored acks to the trees, so that trees that are already complete stay complete. */
    private void settleRuns() {
        long[] stored = Arrays.copyOf(complete, completeLength);
        completeLength = 0;
        for (int i = 0; i < stored.length; i += 2) {
            long root = stored[i];
            if (root != NO_TREE && stored[i + 1] == 0) {
                completeLater(root, 0);
            } else if (root != NO_TREE) {
                for (long each = root; each < root + stored[i + 1]; each++) {
                    ack(Batch.ACK, each, tracker.edgeOf(each));
                }
            }
        }
    }

    /**
     * Fails the invalidated trees.
     *
     * @return their number
     */
    public int failInvalidated() {
        if (invalidBefore == NO_TREE) {
            return 0;
        }
        long before = invalidBefore;
        invalidBefore = NO_TREE;
        long failedBefore = failed;
        tracker.forEachExpired(LATE + now, root -> {
            if (root < before) {
                fail(root, "lost with a worker");
            }
        });
        return (int) (failed - failedBefore);
    }

    /**
     * Fails the trees that have timed out, and finds out where the oldest one is, if it is time for a check.
     *
     * @return their number
     */
    public int expire() {
        if (tracker.inFlight() == 0 || now - nextCheck < 0) {
            return 0;
        }
        nextCheck = now + checkNanos;
        long before = timedOut;
        if (timeoutNanos > 0) {
            tracker.forEachExpired(now - timeoutNanos, root -> {
                timedOut++;
                places.timedOut(root, now);
                fail(root, "timed out");
            });
        }
        places.publish(now);
        return (int) (timedOut - before);
    }

    private void fail(long root, String reason) {
        Object messageId = tracker.messageId(root);
        int tag = tracker.tag(root);
        Object payload = tracker.payload(root);
        tracker.close(root);
        failed++;
        results.failed(tag, messageId, payload, reason);
    }

    /**
     * Passes on the stored completions.
     *
     * @return the number of completed trees
     */
    public int reportComplete() {
        int length = completeLength;
        if (length == 0) {
            return 0;
        }
        long before = completed;
        for (int i = 0; i < length; i += 2) {
            long root = complete[i];
            // The spout may throw in this call, and then all stored completions are dropped.
            complete[i] = NO_TREE;
            if (root != NO_TREE && complete[i + 1] == 0) {
                complete(root);
            } else if (root != NO_TREE) {
                completeRun(root, root + complete[i + 1]);
            }
        }
        // Completions caused by these calls are left for the next turn.
        completeLength -= length;
        System.arraycopy(complete, length, complete, 0, completeLength);
        return (int) (completed - before);
    }

    /** Completes a run of trees for which an ack of the first edge was received. */
    private void completeRun(long from, long to) {
        for (long root = from; root < to; root++) {
            Object messageId = tracker.closeIfOnlyEdge(root);
            if (messageId == null) {
                completeOther(root);
            } else {
                int tag = tracker.lastTag(root);
                if (timedInTurn < MAX_TIMED_PER_TURN) {
                    timedInTurn++;
                    results.timed(tag, tracker.lastSince(root));
                }
                completed++;
                results.completed(tag, messageId);
            }
        }
    }

    /** Applies an ack of the first edge to a tree that has other edges or has ended. */
    private void completeOther(long root) {
        if (tracker.ack(root, tracker.edgeOf(root))) {
            complete(root);
        }
    }

    private void complete(long root) {
        Object messageId = tracker.messageId(root);
        int tag = tracker.tag(root);
        long since = tracker.since(root);
        tracker.close(root);
        if (timedInTurn < MAX_TIMED_PER_TURN) {
            timedInTurn++;
            results.timed(tag, since);
        }
        completed++;
        results.completed(tag, messageId);
    }

    /**
     * Corrects the emit times of a long turn. Tuples of a turn count as emitted when the turn began. If {@code nextTuple}
     * waited for input during most of the turn, that time is too early: a message could time out before it has reached any
     * task.
     *
     * @param nanos how long the turn took
     */
    public void postpone(long nanos) {
        if (timeoutNanos > 0 && nanos > timeoutNanos / CHECKS_PER_TIMEOUT) {
            tracker.postpone(now, now + nanos);
        }
    }

    /**
     * Drops the trees of a task without a result.
     *
     * @param taskIndex the index of the task in its executor
     * @param kept chooses the messages whose trees stay
     */
    public void dropTask(int taskIndex, Predicate<Object> kept) {
        LongPredicate dropped =
                root -> tags.taskIndex(tracker.tag(root)) == taskIndex && !kept.test(tracker.messageId(root));
        for (int i = 0; i < completeLength; i += 2) {
            if (complete[i] != NO_TREE && complete[i + 1] == 0 && dropped.test(complete[i])) {
                tracker.close(complete[i]);
                complete[i] = NO_TREE;
            }
        }
        tracker.forEachExpired(LATE + now, root -> {
            if (dropped.test(root)) {
                tracker.close(root);
            }
        });
    }

    /** Releases the memory, after the last turn. */
    public void release() {
        tracker.release();
        places.publish(now);
        complete = new long[2];
        completeLength = 0;
    }
}
