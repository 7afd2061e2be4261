package io.updraft.engine.tuple;

import java.util.Arrays;

/**
 * The unit of transfer between threads and workers: tuples with their target tasks, and reports for the trackers of tuple
 * trees.
 *
 * <pre>
 *   tuples   [ t0 | t1 | t2 | ... ]      tuple i goes to task targets[i]
 *   targets  [ 17 |  4 |  4 | ... ]         only if they differ
 *   reports  [ head0 | root0 | value0 | head1 | root1 | value1 | ... ]      for the owners of tuple trees
 *
 *   head      63            34 33  32 31             0
 *            +----------------+------+----------------+
 *            |       0        | kind | owning executor|
 *            +----------------+------+----------------+
 * </pre>
 *
 * <p>The kind determines the value. For {@link #ACK} the value is the edges to XOR into the tree. For {@link #ACK_ONLY_EDGE} it
 * is the number of trees with consecutive roots whose first edge was acked. Other kinds have no value. {@link #FAIL_ALL} has no
 * root either, and never leaves the worker.
 *
 * <p>Owned by one thread at a time; ownership moves with the reference.
 */
public final class Batch {

    /** XOR the value into the tree. */
    public static final int ACK = 0;

    /** Ack the edge derived from the root, for as many trees with consecutive roots as the value. */
    public static final int ACK_ONLY_EDGE = 1;

    /** Fail the tree. */
    public static final int FAIL = 2;

    /** Restart the tree's timeout. */
    public static final int RESET_TIMEOUT = 3;

    /** Fail all trees of the owner that are in flight. */
    public static final int FAIL_ALL = 4;

    private static final int KIND_SHIFT = 32;
    private static final int STRIDE = 3;

    /** Value of {@code only} for a batch without tuples. */
    private static final int NONE = -1;

    /** Value of {@code only} for a batch with several targets. */
    private static final int SEVERAL = -2;

    private static final int INITIAL = 16;
    private static final EngineTuple[] NO_TUPLES = {};
    private static final int[] NO_INTS = {};
    private static final long[] NO_LONGS = {};

    /** Arrays with more entries than this are released when the batch is cleared. */
    private static final int KEEP_AT_MOST = 16 * 1024;

    private EngineTuple[] tuples;
    private int[] targets;
    private int tupleCount;

    /** The target task of all tuples, {@link #NONE} or {@link #SEVERAL}. */
    private int only = NONE;

    private long[] reports;
    private int reportLength;

    private boolean last;

    /** Creates an empty batch that grows as needed. */
    public Batch() {
        this(0, 0);
    }

    /**
     * Creates an empty batch.
     *
     * @param tupleCapacity number of tuples that fit without growing
     * @param reportCapacity number of reports that fit without growing
     */
    public Batch(int tupleCapacity, int reportCapacity) {
        tuples = tupleCapacity == 0 ? NO_TUPLES : new EngineTuple[tupleCapacity];
        targets = NO_INTS;
        reports = reportCapacity == 0 ? NO_LONGS : new long[reportCapacity * STRIDE];
    }

    /** {@return the greater of the numbers of tuples and of reports that fit without growing} */
    public int capacity() {
        return Math.max(tuples.length, reports.length / STRIDE);
    }

    /**
     * Appends a tuple.
     *
     * @param tuple the tuple
     * @param target the target task
     */
    public void add(EngineTuple tuple, int target) {
        int index = tupleCount;
        if (index == tuples.length) {
            growTuples();
        }
        tuples[index] = tuple;
        tupleCount = index + 1;
        if (target != only) {
            addTarget(index, target);
        }
    }

    private void addTarget(int index, int target) {
        if (index == 0) {
            only = target;
            return;
        }
        if (targets.length < tuples.length) {
            targets = Arrays.copyOf(targets, tuples.length);
        }
        if (only != SEVERAL) {
            Arrays.fill(targets, 0, index, only);
            only = SEVERAL;
        }
        targets[index] = target;
    }

    /** {@return whether there are tuples and all have the same target task} */
    public boolean hasSingleTarget() {
        return only >= 0;
    }

    /**
     * Moves all tuples of another batch to this batch. Swaps the arrays without copying if this batch has no tuples yet.
     *
     * @param other the other batch
     */
    public void takeTuples(Batch other) {
        if (tupleCount == 0) {
            EngineTuple[] emptyTuples = tuples;
            int[] emptyTargets = targets;
            tuples = other.tuples;
            targets = other.targets;
            tupleCount = other.tupleCount;
            only = other.only;
            other.tuples = emptyTuples;
            other.targets = emptyTargets;
            other.tupleCount = 0;
            other.only = NONE;
        } else {
            for (int i = 0; i < other.tupleCount; i++) {
                add(other.tuples[i], other.target(i));
            }
            other.clearTuples();
        }
    }

    /**
     * Appends a report on a tuple tree.
     *
     * @param kind the kind of report
     * @param owner the executor that owns the tree
     * @param root the tree
     * @param value the value; its meaning depends on the kind
     */
    public void addReport(int kind, int owner, long root, long value) {
        int at = reportLength;
        if (at == reports.length) {
            growReports();
        }
        long[] into = reports;
        into[at] = (long) kind << KIND_SHIFT | owner;
        into[at + 1] = root;
        into[at + 2] = value;
        reportLength = at + STRIDE;
    }

    /**
     * Appends acks of the first edges of trees with consecutive roots. Merges them into the last report if the roots continue
     * it.
     *
     * @param owner the executor that owns the trees
     * @param first the first root
     * @param count number of trees
     */
    public void addOnlyEdges(int owner, long first, long count) {
        long[] into = reports;
        int last = reportLength - STRIDE;
        if (last >= 0
                && into[last] == ((long) ACK_ONLY_EDGE << KIND_SHIFT | owner)
                && into[last + 1] + into[last + 2] == first) {
            into[last + 2] += count;
        } else {
            addReport(ACK_ONLY_EDGE, owner, first, count);
        }
    }

    /**
     * Appends everything that another batch holds.
     *
     * @param other the other batch, not changed
     */
    public void addAll(Batch other) {
        for (int i = 0; i < other.tupleCount; i++) {
            add(other.tuples[i], other.target(i));
        }
        for (int i = 0; i < other.reportCount(); i++) {
            addReport(other.kind(i), other.owner(i), other.root(i), other.value(i));
        }
    }

    /** {@return number of tuples} */
    public int tupleCount() {
        return tupleCount;
    }

    /** {@return number of reports} */
    public int reportCount() {
        return reportLength / STRIDE;
    }

    /** {@return whether the batch has neither tuples nor reports} */
    public boolean isEmpty() {
        return (tupleCount | reportLength) == 0;
    }

    /**
     * {@return the tuple}
     *
     * @param index position
     */
    public EngineTuple tuple(int index) {
        return tuples[index];
    }

    /**
     * {@return the target task of the tuple at this position}
     *
     * @param index position
     */
    public int target(int index) {
        return only >= 0 ? only : targets[index];
    }

    /**
     * {@return the kind of report}
     *
     * @param index position of the report
     */
    public int kind(int index) {
        return (int) (reports[index * STRIDE] >>> KIND_SHIFT);
    }

    /**
     * {@return the executor that owns the tree}
     *
     * @param index position of the report
     */
    public int owner(int index) {
        return (int) reports[index * STRIDE];
    }

    /**
     * {@return the tree}
     *
     * @param index position of the report
     */
    public long root(int index) {
        return reports[index * STRIDE + 1];
    }

    /**
     * {@return the value; its meaning depends on the kind}
     *
     * @param index position of the report
     */
    public long value(int index) {
        return reports[index * STRIDE + 2];
    }

    /** Marks this batch as the last of its sender. */
    public void markLast() {
        last = true;
    }

    /** {@return whether this batch is the last of its sender} */
    public boolean isLast() {
        return last;
    }

    /** Removes all tuples and reports. Clears the references, so that the garbage collector need not follow them. */
    public void clear() {
        clearTuples();
        clearReports();
    }

    /** Removes all tuples. */
    public void clearTuples() {
        if (tuples.length > KEEP_AT_MOST) {
            tuples = NO_TUPLES;
            targets = NO_INTS;
        } else {
            Arrays.fill(tuples, 0, tupleCount, null);
        }
        tupleCount = 0;
        only = NONE;
    }

    /** Removes all reports. */
    public void clearReports() {
        if (reports.length > KEEP_AT_MOST * STRIDE) {
            reports = NO_LONGS;
        }
        reportLength = 0;
    }

    private void growTuples() {
        tuples = Arrays.copyOf(tuples, Math.max(INITIAL, tuples.length * 2));
    }

    private void growReports() {
        reports = Arrays.copyOf(reports, Math.max(INITIAL * STRIDE, reports.length * 2));
    }
}
