package io.updraft.engine.mesh;

import io.updraft.engine.tuple.EngineTuple;
import java.util.Arrays;

/**
 * What crosses a boundary: tuples with the tasks they go to, and deltas for the trackers of tuple trees.
 *
 * <pre>
 *   tuples   [ t0 | t1 | t2 | ... ]      tuple i goes to task targets[i]
 *   targets  [ 17 |  4 |  4 | ... ]
 *   owners   [  0 |  0 | ... ]           delta j goes to the executor owners[j],
 *   roots    [ r0 | r1 | ... ]           which owns the tree roots[j] (see Roots)
 *   deltas   [ d0 | d1 | ... ]
 * </pre>
 *
 * <p>Owned by one thread at a time; ownership moves with the reference.
 */
public final class Batch {

    private static final int INITIAL = 16;
    private static final EngineTuple[] NO_TUPLES = {};
    private static final int[] NO_INTS = {};
    private static final long[] NO_LONGS = {};

    /** A batch whose arrays have grown beyond this many entries gives them back when it is cleared. */
    private static final int KEEP_AT_MOST = 16 * 1024;

    private EngineTuple[] tuples;
    private int[] targets;
    private int tupleCount;

    private int[] owners;
    private long[] roots;
    private long[] deltas;
    private int deltaCount;

    private boolean last;

    /** Creates an empty batch that will grow as needed. */
    public Batch() {
        this(0, 0);
    }

    /**
     * Creates an empty batch.
     *
     * @param tupleCapacity tuples that it takes without growing
     * @param deltaCapacity deltas that it takes without growing
     */
    public Batch(int tupleCapacity, int deltaCapacity) {
        tuples = tupleCapacity == 0 ? NO_TUPLES : new EngineTuple[tupleCapacity];
        targets = tupleCapacity == 0 ? NO_INTS : new int[tupleCapacity];
        owners = deltaCapacity == 0 ? NO_INTS : new int[deltaCapacity];
        roots = deltaCapacity == 0 ? NO_LONGS : new long[deltaCapacity];
        deltas = deltaCapacity == 0 ? NO_LONGS : new long[deltaCapacity];
    }

    /**
     * Appends a tuple.
     *
     * @param tuple the tuple
     * @param target the task it goes to
     */
    public void add(EngineTuple tuple, int target) {
        int index = tupleCount;
        if (index == tuples.length) {
            growTuples();
        }
        tuples[index] = tuple;
        targets[index] = target;
        tupleCount = index + 1;
    }

    /**
     * Appends a delta for a tuple tree.
     *
     * @param owner the executor that owns the tree
     * @param root the tree, with what is to be done in its top bits
     * @param delta what to XOR into it
     */
    public void addDelta(int owner, long root, long delta) {
        int index = deltaCount;
        if (index == roots.length) {
            growDeltas();
        }
        owners[index] = owner;
        roots[index] = root;
        deltas[index] = delta;
        deltaCount = index + 1;
    }

    /**
     * Appends everything that another batch holds.
     *
     * @param other is left unchanged
     */
    public void addAll(Batch other) {
        for (int i = 0; i < other.tupleCount; i++) {
            add(other.tuples[i], other.targets[i]);
        }
        for (int i = 0; i < other.deltaCount; i++) {
            addDelta(other.owners[i], other.roots[i], other.deltas[i]);
        }
    }

    /** {@return number of tuples} */
    public int tupleCount() {
        return tupleCount;
    }

    /** {@return number of deltas} */
    public int deltaCount() {
        return deltaCount;
    }

    /** {@return whether it holds nothing} */
    public boolean isEmpty() {
        return (tupleCount | deltaCount) == 0;
    }

    /**
     * Reads a tuple.
     *
     * @param index position
     * @return the tuple
     */
    public EngineTuple tuple(int index) {
        return tuples[index];
    }

    /**
     * Reads a target.
     *
     * @param index position
     * @return the task that the tuple at this position goes to
     */
    public int target(int index) {
        return targets[index];
    }

    /**
     * Reads an owner.
     *
     * @param index position
     * @return the executor that the delta at this position goes to
     */
    public int owner(int index) {
        return owners[index];
    }

    /**
     * Reads a root.
     *
     * @param index position
     * @return the tree that the delta at this position is for
     */
    public long root(int index) {
        return roots[index];
    }

    /**
     * Reads a delta.
     *
     * @param index position
     * @return what to XOR
     */
    public long delta(int index) {
        return deltas[index];
    }

    /** Marks this batch as the last that its sender sends. */
    public void markLast() {
        last = true;
    }

    /** {@return whether the sender sends no more after this} */
    public boolean isLast() {
        return last;
    }

    /** Forgets all tuples and deltas, and the references to them, so that the collector need not follow them. */
    public void clear() {
        clearTuples();
        clearDeltas();
    }

    /** Forgets the tuples. */
    public void clearTuples() {
        if (tuples.length > KEEP_AT_MOST) {
            tuples = NO_TUPLES;
            targets = NO_INTS;
        } else {
            Arrays.fill(tuples, 0, tupleCount, null);
        }
        tupleCount = 0;
    }

    /** Forgets the deltas. */
    public void clearDeltas() {
        if (roots.length > KEEP_AT_MOST) {
            owners = NO_INTS;
            roots = NO_LONGS;
            deltas = NO_LONGS;
        }
        deltaCount = 0;
    }

    private void growTuples() {
        int capacity = Math.max(INITIAL, tuples.length * 2);
        tuples = Arrays.copyOf(tuples, capacity);
        targets = Arrays.copyOf(targets, capacity);
    }

    private void growDeltas() {
        int capacity = Math.max(INITIAL, owners.length * 2);
        owners = Arrays.copyOf(owners, capacity);
        roots = Arrays.copyOf(roots, capacity);
        deltas = Arrays.copyOf(deltas, capacity);
    }
}
