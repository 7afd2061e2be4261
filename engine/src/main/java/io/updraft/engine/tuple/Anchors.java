package io.updraft.engine.tuple;

import java.util.Arrays;

/**
 * The trees of a tuple that belongs to more than one, as when a join emits one tuple for two.
 *
 * <p>Built by the thread that emits the tuple, not changed afterwards, unless the tuple is timed by who receives it.
 */
public final class Anchors {

    private static final int INITIAL = 4;

    /** Trees among which one is found sooner by looking at each than by its hash. */
    private static final int FEW = 16;

    /** 2^64 by the golden ratio. */
    private static final long ODD = 0x9E3779B97F4A7C15L;

    private static final long NOT_TIMED = Long.MIN_VALUE;

    private int[] owners;
    private long[] roots;
    private long[] edges;
    private int size;

    /** Whether all trees are one owner's, in the order of their roots, as those of a window are that is fed by one spout. */
    private boolean ascending = true;

    /** Positions and one, by the hash of the tree; only there when many trees had to be looked up. */
    private int[] slots;

    private long since = NOT_TIMED;

    /** Creates an empty set. */
    public Anchors() {
        this(INITIAL);
    }

    /**
     * Creates an empty set.
     *
     * @param capacity trees that it takes without growing
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

    /** A window has as many anchors as tuples, so that a look at each for each is what must not be. */
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

    /** Twice as many slots as there is room for trees, at the least. */
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
     * Adds a tree without looking for it.
     *
     * @param owner the executor that owns the tree
     * @param root the tree, not in the set yet; if it were, its edges would be reported one by one, to the same effect
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
     * Notes when the tuple came to be executed.
     *
     * @param nanos the time, nanoseconds
     */
    void time(long nanos) {
        since = nanos;
    }

    /** {@return whether the time from execution to ack is to be known} */
    public boolean isTimed() {
        return since != NOT_TIMED;
    }

    /** {@return when the tuple came to be executed, nanoseconds, if it is timed} */
    public long since() {
        return since;
    }

    /** {@return the number of trees} */
    public int size() {
        return size;
    }

    /**
     * Reads an owner.
     *
     * @param index position
     * @return the executor that owns the tree
     */
    public int owner(int index) {
        return owners[index];
    }

    /**
     * Reads a root.
     *
     * @param index position
     * @return the tree
     */
    public long root(int index) {
        return roots[index];
    }

    /**
     * Reads an edge.
     *
     * @param index position
     * @return the tuple's edge in that tree
     */
    public long edge(int index) {
        return edges[index];
    }
}
