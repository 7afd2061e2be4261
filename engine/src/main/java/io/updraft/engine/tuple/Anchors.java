package io.updraft.engine.tuple;

import java.util.Arrays;

/**
 * The trees of a tuple that belongs to more than one tree, as when a join emits one tuple for two.
 *
 * <p>Built by the thread that emits the tuple. Not changed afterwards, unless the receiving executor times the tuple.
 */
public final class Anchors {

    private static final int INITIAL = 4;

    /** Up to this number of trees, a linear search is faster than a hash lookup. */
    private static final int FEW = 16;

    /** 2^64 by the golden ratio. */
    private static final long ODD = 0x9E3779B97F4A7C15L;

    private static final long NOT_TIMED = Long.MIN_VALUE;

    private int[] owners;
    private long[] roots;
    private long[] edges;
    private int size;

    /** Whether all trees have the same owner and ascending roots, as the trees of a window that one spout feeds. */
    private boolean ascending = true;

    /** Positions plus one, by the hash of the tree. Null until a lookup among many trees. */
    private int[] slots;

    private long since = NOT_TIMED;

    /** Creates an empty set. */
    public Anchors() {
        this(INITIAL);
    }

    /**
     * Creates an empty set.
     *
     * @param capacity number of trees that fit without growing
     */
    public Anchors(int capacity) {
        owners = new int[capacity];
        roots = new long[capacity];
        edges = new long[capacity];
    }

    /**
     * XORs an edge into a tree, adding the tree if it is new.
     *
     * @param owner the executor that owns the tree
     * @param root the tree
     * @param edge the edge
     */
    public void add(int owner, long root, long edge) {
        int found = find(owner, root);
        if (found < 0) {
            append(owner, root, edge);
        } else {
            edges[found] ^= edge;
        }
    }

    /**
     * Finds the position of a tree, -1 if it is new. A window has as many anchors as tuples, so a linear search for each would
     * be quadratic.
     */
    private int find(int owner, long root) {
        int last = size - 1;
        if (ascending && last >= 0 && owners[last] == owner && roots[last] < root) {
            return -1;
        }
        if (size > FEW) {
            return findBySlot(owner, root);
        }
        while (last >= 0 && (roots[last] != root || owners[last] != owner)) {
            last--;
        }
        return last;
    }

    private int findBySlot(int owner, long root) {
        if (slots == null) {
            index();
        }
        int mask = slots.length - 1;
        int slot = hash(owner, root) & mask;
        while (slots[slot] != 0) {
            int i = slots[slot] - 1;
            if (roots[i] == root && owners[i] == owner) {
                return i;
            }
            slot = (slot + 1) & mask;
        }
        return -1;
    }

    /** Builds the hash index with at least twice as many slots as there is room for trees. */
    private void index() {
        slots = new int[4 * Integer.highestOneBit(owners.length)];
        for (int i = 0; i < size; i++) {
            enter(i);
        }
    }

    private void enter(int position) {
        int mask = slots.length - 1;
        int slot = hash(owners[position], roots[position]) & mask;
        while (slots[slot] != 0) {
            slot = (slot + 1) & mask;
        }
        slots[slot] = position + 1;
    }

    private static int hash(int owner, long root) {
        return (int) ((root + owner * ODD) * ODD >>> 32);
    }

    /**
     * Adds a tree without a lookup.
     *
     * @param owner the executor that owns the tree
     * @param root the tree, not in the set yet; if it is, its edges are reported one by one, with the same result
     * @param edge the edge
     */
    public void append(int owner, long root, long edge) {
        if (size == owners.length) {
            grow();
        }
        ascending &= size == 0 || owners[size - 1] == owner && roots[size - 1] < root;
        owners[size] = owner;
        roots[size] = root;
        edges[size++] = edge;
        if (slots != null) {
            enter(size - 1);
        }
    }

    private void grow() {
        int capacity = Math.max(INITIAL, size * 2);
        owners = Arrays.copyOf(owners, capacity);
        roots = Arrays.copyOf(roots, capacity);
        edges = Arrays.copyOf(edges, capacity);
        if (slots != null) {
            index();
        }
    }

    /**
     * Records the time at which the tuple is executed.
     *
     * @param nanos the time, nanoseconds
     */
    void time(long nanos) {
        since = nanos;
    }

    /** {@return whether the time from execution to ack is measured} */
    public boolean isTimed() {
        return since != NOT_TIMED;
    }

    /** {@return the time at which the tuple was executed, nanoseconds, if the tuple is timed} */
    public long since() {
        return since;
    }

    /** {@return the number of trees} */
    public int size() {
        return size;
    }

    /**
     * {@return the executor that owns the tree}
     *
     * @param index position
     */
    public int owner(int index) {
        return owners[index];
    }

    /**
     * {@return the tree}
     *
     * @param index position
     */
    public long root(int index) {
        return roots[index];
    }

    /**
     * {@return the tuple's edge in that tree}
     *
     * @param index position
     */
    public long edge(int index) {
        return edges[index];
    }
}
