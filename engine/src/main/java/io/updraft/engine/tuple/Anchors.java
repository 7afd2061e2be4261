package io.updraft.engine.tuple;

import java.util.Arrays;

/**
 * The trees of a tuple that belongs to more than one, as when a join emits one tuple for two.
 *
 * <p>Built by the thread that emits the tuple, not changed afterwards.
 */
public final class Anchors {

    private int[] owners = new int[4];
    private long[] roots = new long[4];
    private long[] edges = new long[4];
    private int size;

    /** Creates an empty set. */
    public Anchors() {}

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
        if (size == owners.length) {
            owners = Arrays.copyOf(owners, size * 2);
            roots = Arrays.copyOf(roots, size * 2);
            edges = Arrays.copyOf(edges, size * 2);
        }
        owners[size] = owner;
        roots[size] = root;
        edges[size++] = edge;
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
