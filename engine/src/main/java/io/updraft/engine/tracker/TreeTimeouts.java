package io.updraft.engine.tracker;

import java.util.function.LongConsumer;

/** The times at which the trees of a {@link TreeTracker} were opened or last touched, from which their timeouts follow. */
public final class TreeTimeouts {

    private final TreeTracker tracker;
    private final TimeMarks marks;
    private final StragglerTrees stragglers;

    TreeTimeouts(TreeTracker tracker, TimeMarks marks, StragglerTrees stragglers) {
        this.tracker = tracker;
        this.marks = marks;
        this.stragglers = stragglers;
    }

    /**
     * Sets the opening time of the trees that are opened from now on.
     *
     * @param nanos the time, nanoseconds
     */
    public void at(long nanos) {
        marks.add(tracker.tail(), nanos, tracker.head());
    }

    /**
     * Restarts the timeout of a tree, if it is open.
     *
     * @param root the tree
     * @param nanos the time, nanoseconds
     */
    public void touch(long root, long nanos) {
        if (!tracker.isOpen(root)) {
            return;
        }
        if (root < tracker.head()) {
            stragglers.touch(root, nanos);
        } else {
            marks.touch(root, nanos, tracker.capacity());
        }
    }

    /**
     * Reads the time at which a tree in flight was opened or last touched.
     *
     * @param root the tree
     * @return nanoseconds
     */
    public long since(long root) {
        return root < tracker.head() ? stragglers.since(root) : marks.since(root);
    }

    /**
     * Reads the time at which the tree closed last was opened.
     *
     * @param root the tree
     * @return nanoseconds
     */
    public long lastSince(long root) {
        return marks.since(root);
    }

    /**
     * Restarts the timeouts of all open trees that were opened or touched at a given time.
     *
     * @param at the time at which they were opened or touched, nanoseconds
     * @param nanos the new start of their timeouts, nanoseconds
     */
    public void postpone(long at, long nanos) {
        marks.postpone(at, nanos);
    }

    /**
     * Visits all open trees that were neither opened nor touched since a time.
     *
     * @param notSince the time, nanoseconds
     * @param each receives the roots, oldest first; may close the tree and open others
     */
    public void forEachExpired(long notSince, LongConsumer each) {
        for (long root : stragglers.roots()) {
            visitExpired(root, notSince, each);
        }
        marks.forEachRunBefore(notSince, tracker.head(), tracker.tail(), (from, to) -> {
            for (long root = from; root < to; root++) {
                visitExpired(root, notSince, each);
            }
        });
    }

    private void visitExpired(long root, long notSince, LongConsumer each) {
        if (tracker.isOpen(root) && since(root) - notSince <= 0) {
            each.accept(root);
        }
    }
}
