package io.updraft.engine.tracker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Compares the tracker with a map from root to tree under random operations. A tree of the model knows its open edges by
 * name, so that it is complete when there are none, without any XOR.
 */
class TreeTrackerPropertyTest {

    private static final int RUNS = 300;
    private static final int OPERATIONS = 600;

    /** What the model knows of a tree in flight. */
    private static final class Tree {
        private final int slot;
        private final long root;
        private final Object messageId = new Object();
        private final Object payload = new Object();
        private final int tag;
        private final List<Long> openEdges = new ArrayList<>();
        private long since;
        private boolean complete;

        private Tree(int slot, long root, int tag) {
            this.slot = slot;
            this.root = root;
            this.tag = tag;
        }
    }

    /** One tracker and its model. */
    private static final class Pair {
        private final SplittableRandom random;
        private final TreeTracker tracker;
        private final Map<Long, Tree> model = new HashMap<>();
        private final List<Tree> inFlight = new ArrayList<>();
        private final List<Long> ended = new ArrayList<>();
        private long now;

        private Pair(long seed) {
            random = new SplittableRandom(seed);
            now = random.nextLong();
            tracker = new TreeTracker(1 + random.nextInt(4), true);
        }

        private void doSomething(int mostInFlight) {
            now += random.nextInt(100);
            switch (random.nextInt(10)) {
                case 0, 1, 2 -> {
                    if (inFlight.size() < mostInFlight) {
                        open();
                    }
                }
                case 3, 4, 5 -> ackOne();
                case 6 -> ackLate();
                case 7 -> touch();
                case 8 -> closeOne();
                default -> expire();
            }
            assertThat(tracker.inFlight()).isEqualTo(inFlight.size());
            assertThat(tracker.capacity()).isGreaterThanOrEqualTo(inFlight.size());
        }

        private void open() {
            int slot = tracker.open();
            Tree tree = new Tree(slot, tracker.root(slot), random.nextInt(100));
            assertThat(model).as("a root is used once").doesNotContainKey(tree.root);
            assertThat(ended).doesNotContain(tree.root);
            long xor = 0;
            for (int i = random.nextInt(1, 5); i > 0; i--) {
                tree.openEdges.add(random.nextLong());
                xor ^= tree.openEdges.get(tree.openEdges.size() - 1);
            }
            tree.since = now;
            tracker.commit(slot, tree.messageId, tree.payload, xor, now, tree.tag);
            model.put(tree.root, tree);
            inFlight.add(tree);
        }

        /** Acks one edge, which may have children, whose edges go into the same delta. */
        private void ackOne() {
            Tree tree = anyTree();
            if (tree == null || tree.complete) {
                return;
            }
            long delta = tree.openEdges.remove(random.nextInt(tree.openEdges.size()));
            for (int i = random.nextInt(4) == 0 ? random.nextInt(3) : 0; i > 0; i--) {
                tree.openEdges.add(random.nextLong());
                delta ^= tree.openEdges.get(tree.openEdges.size() - 1);
            }
            int slot = tracker.ack(tree.root, delta);
            assertThat(slot).isEqualTo(tree.openEdges.isEmpty() ? tree.slot : TreeTracker.NONE);
            tree.complete = tree.openEdges.isEmpty();
        }

        private void ackLate() {
            if (ended.isEmpty()) {
                return;
            }
            long root = ended.get(random.nextInt(ended.size()));
            assertThat(tracker.ack(root, random.nextLong())).isEqualTo(TreeTracker.NONE);
            assertThat(tracker.find(root)).isEqualTo(TreeTracker.NONE);
            tracker.touch(root, now);
        }

        private void touch() {
            Tree tree = anyTree();
            if (tree != null) {
                tracker.touch(tree.root, now);
                tree.since = tree.complete ? tree.since : now;
            }
        }

        private void closeOne() {
            Tree tree = anyTree();
            if (tree != null) {
                close(tree);
            }
        }

        private void close(Tree tree) {
            assertThat(tracker.messageId(tree.slot)).isSameAs(tree.messageId);
            assertThat(tracker.payload(tree.slot)).isSameAs(tree.payload);
            assertThat(tracker.tag(tree.slot)).isEqualTo(tree.tag);
            assertThat(tracker.since(tree.slot)).isEqualTo(tree.since);
            assertThat(tracker.find(tree.root)).isEqualTo(tree.complete ? TreeTracker.NONE : tree.slot);
            tracker.close(tree.slot);
            model.remove(tree.root);
            inFlight.remove(tree);
            ended.add(tree.root);
        }

        private void expire() {
            long notSince = now - random.nextInt(3000);
            Set<Integer> expected = new TreeSet<>();
            for (Tree tree : inFlight) {
                if (tree.since - notSince <= 0) {
                    expected.add(tree.slot);
                }
            }
            Set<Integer> found = new TreeSet<>();
            for (int slot = tracker.nextExpired(0, notSince);
                    slot != TreeTracker.NONE;
                    slot = tracker.nextExpired(slot + 1, notSince)) {
                found.add(slot);
            }
            assertThat(found).isEqualTo(expected);
            for (Tree tree : List.copyOf(inFlight)) {
                if (expected.contains(tree.slot) && random.nextBoolean()) {
                    close(tree);
                }
            }
        }

        private Tree anyTree() {
            return inFlight.isEmpty() ? null : inFlight.get(random.nextInt(inFlight.size()));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 20, 200})
    void shouldDoWhatAMapFromRootToTreeDoes(int mostInFlight) {
        for (long seed = 0; seed < RUNS; seed++) {
            Pair pair = new Pair(seed);
            for (int i = 0; i < OPERATIONS; i++) {
                pair.doSomething(mostInFlight);
            }
        }
    }

    @Test
    void shouldPostponeExactlyTheTreesOfOneTurn() {
        TreeTracker tracker = new TreeTracker(4, false);
        int before = commit(tracker, 99);
        int first = commit(tracker, 100);
        int second = commit(tracker, 100);
        tracker.close(second);

        tracker.postpone(100, 500);

        assertThat(tracker.since(before)).isEqualTo(99);
        assertThat(tracker.since(first)).isEqualTo(500);
        assertThat(tracker.nextExpired(0, 400)).isEqualTo(before);
        assertThat(tracker.nextExpired(before + 1, 400)).isEqualTo(TreeTracker.NONE);
    }

    private static int commit(TreeTracker tracker, long nanos) {
        int slot = tracker.open();
        tracker.commit(slot, "id", null, 1, nanos, 0);
        return slot;
    }
}
