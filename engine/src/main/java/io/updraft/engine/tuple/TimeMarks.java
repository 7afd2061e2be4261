package io.updraft.engine.tuple;

/**
 * The times at which the trees of a {@link TreeTracker} were opened: a ring of marks. Each mark covers the trees from its root
 * to the root of the next mark.
 *
 * <pre>
 *   roots  [ 1  | 257 | 301 | ... ]      ascending
 *   nanos  [ t0 | t1  | t2  | ... ]
 * </pre>
 *
 * <p>Used by one thread at a time. Grows as needed and never shrinks.
 */
final class TimeMarks {

    private static final int FIRST = 16;

    private long[] roots = new long[FIRST];
    private long[] nanos = new long[FIRST];

    /** The numbers of the first mark and of the next new mark. The position in the arrays is the number modulo the length. */
    private long first;

    private long next;

    /** Trees with times of their own, each at its root modulo the length; 0 for no tree. Empty until the first such tree. */
    private long[] touchedRoots = {};

    private long[] touchedNanos = {};

    /** Receives a run of trees with consecutive roots. */
    @FunctionalInterface
    interface Run {
        void accept(long from, long to);
    }

    /** Marks the time at which the trees from a root on are opened. Marks for trees before the oldest may be dropped. */
    void add(long root, long time, long oldest) {
        if (next > first && roots[place(next - 1)] == root) {
            nanos[place(next - 1)] = time;
            return;
        }
        while (next - first > 1 && roots[place(first + 1)] <= oldest) {
            first++;
        }
        if (next - first == roots.length) {
            grow();
        }
        roots[place(next)] = root;
        nanos[place(next)] = time;
        next++;
    }

    private int place(long number) {
        return (int) number & roots.length - 1;
    }

    private void grow() {
        long[] moreRoots = new long[roots.length * 2];
        long[] moreNanos = new long[roots.length * 2];
        for (long i = first; i < next; i++) {
            moreRoots[(int) i & moreRoots.length - 1] = roots[place(i)];
            moreNanos[(int) i & moreRoots.length - 1] = nanos[place(i)];
        }
        roots = moreRoots;
        nanos = moreNanos;
    }

    /** Finds when a tree was opened or last touched. Its mark must not have been dropped. */
    long since(long root) {
        int at = touchedRoots.length == 0 ? -1 : (int) root & touchedRoots.length - 1;
        return at >= 0 && touchedRoots[at] == root ? touchedNanos[at] : opened(root);
    }

    /** Finds the last mark at or before the tree by binary search. */
    private long opened(long root) {
        long low = first;
        long high = next - 1;
        while (low < high) {
            long middle = (low + high + 1) >>> 1;
            if (roots[place(middle)] <= root) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return nanos[place(low)];
    }

    /** Gives a tree a time of its own. The capacity is the maximum number of trees at once, a power of two. */
    void touch(long root, long time, int capacity) {
        if (touchedRoots.length < capacity) {
            long[] before = touchedRoots;
            long[] timesBefore = touchedNanos;
            touchedRoots = new long[capacity];
            touchedNanos = new long[capacity];
            for (int i = 0; i < before.length; i++) {
                if (before[i] != 0) {
                    int at = (int) before[i] & capacity - 1;
                    touchedRoots[at] = before[i];
                    touchedNanos[at] = timesBefore[i];
                }
            }
        }
        int at = (int) root & touchedRoots.length - 1;
        touchedRoots[at] = root;
        touchedNanos[at] = time;
    }

    /** Visits, in a range, the trees that were opened no later than a time, even if they were touched later. */
    void forEachRunBefore(long time, long from, long to, Run run) {
        for (long i = first; i < next; i++) {
            if (nanos[place(i)] - time <= 0) {
                long start = Math.max(from, roots[place(i)]);
                long end = i + 1 < next ? Math.min(to, roots[place(i + 1)]) : to;
                if (start < end) {
                    run.accept(start, end);
                }
            }
        }
    }

    void postpone(long before, long after) {
        for (long i = first; i < next; i++) {
            if (nanos[place(i)] == before) {
                nanos[place(i)] = after;
            }
        }
        for (int i = 0; i < touchedNanos.length; i++) {
            if (touchedNanos[i] == before) {
                touchedNanos[i] = after;
            }
        }
    }
}
