package io.updraft.engine.tuple;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;

/** The trees that were moved out of the ring of a {@link TreeTracker}, because all trees around them had ended. */
final class OldTrees {

    private final Map<Long, OldTree> trees = new HashMap<>();

    /** One tree. */
    static final class OldTree {
        private long seen;
        final Object id;
        long since;
        final int tag;
        final Object payload;

        private OldTree(long seen, Object id, long since, int tag, Object payload) {
            this.seen = seen;
            this.id = id;
            this.since = since;
            this.tag = tag;
            this.payload = payload;
        }

        long seen() {
            return seen;
        }
    }

    void add(long root, long seen, Object id, long since, int tag, Object payload) {
        trees.put(root, new OldTree(seen, id, since, tag, payload));
    }

    OldTree get(long root) {
        return trees.get(root);
    }

    void remove(long root) {
        trees.remove(root);
    }

    void clear() {
        trees.clear();
    }

    int size() {
        return trees.size();
    }

    /** Returns the lowest root. Call this only if there are trees. */
    long first() {
        return Collections.min(trees.keySet());
    }

    /** Returns the roots in ascending order. */
    long[] roots() {
        return trees.keySet().stream().mapToLong(Long::longValue).sorted().toArray();
    }

    /** XORs edges into a tree. Returns whether this completes the tree, which is the case when the result is its first edge. */
    boolean ack(long root, long edges, long firstEdge) {
        OldTree tree = trees.get(root);
        if (tree == null || tree.seen == TreeTracker.DONE) {
            return false;
        }
        tree.seen ^= edges;
        if (tree.seen != firstEdge) {
            return false;
        }
        tree.seen = TreeTracker.DONE;
        return true;
    }

    boolean isOpen(long root) {
        OldTree tree = trees.get(root);
        return tree != null && tree.seen != TreeTracker.DONE;
    }

    /** XORs a number into all open trees. */
    void invalidate(long mark) {
        for (OldTree tree : trees.values()) {
            if (tree.seen != TreeTracker.DONE) {
                tree.seen ^= mark;
            }
        }
    }
}
