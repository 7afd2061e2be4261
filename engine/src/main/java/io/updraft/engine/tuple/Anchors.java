package io.updraft.engine.tuple;

import java.util.Arrays;

/**
 * The trees of a tuple that belongs to more than one, as when a join emits one tuple for two.
 *
 * <p>Built by the thread that emits the tuple, not changed afterwards, unless the tuple is timed by who receives it.
 */
public final class Anchors {

    private static final int INITIAL = 4;
    private static final long NOT_TIMED = Long.MIN_VALUE;

    private int[] owners;
    private long[] roots;
    private long[] edges;
    private int size;
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
        for (int i = 0; i < size; i++) {
            if (roots[i] == root && owners[i] == owner) {
                edges[i] ^= edge;
                return;
            }
        }
        append(owner, root, edge);
    }

    /**
     * Adds a tree without looking for it, which would take a time that grows with the square of their number.
     *
     * @param owner the executor that owns the tree
     * @param root the tree, not in the set yet; if it were, its edges would be reported one by one, to the same effect
     * @param edge the edge
     */
    public void append(int owner, long root, long edge) {
        if (size == owners.length) {
            grow();
        }
        owners[size] = owner;
        roots[size] = root;
        edges[size++] = edge;
    }

    private void grow() {
        int capacity = Math.max(INITIAL, size * 2);
        owners = Arrays.copyOf(owners, capacity);
        roots = Arrays.copyOf(roots, capacity);
        edges = Arrays.copyOf(edges, capacity);
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
