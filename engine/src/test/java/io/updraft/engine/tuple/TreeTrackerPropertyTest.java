package io.updraft.engine.tuple;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Compares the tracker with a map from root to tree under random operations. A tree of the model keeps the set of its open
 * edges. It is complete when the set is empty, without any XOR.
 */
@Tag("one-jdk")
class TreeTrackerPropertyTest {

    private static final int RUNS = 300;
    private static final int OPERATIONS = 600;

    /** What the model knows of a tree in flight. */
    private static final class Tree {
        private final long root;
        private final Object messageId;
        private final Object payload = new Object();
        private final int tag;
        private final List<Long> openEdges = new ArrayList<>();
        private long since;
        private boolean complete;

        private Tree(long root, Object messageId, int tag) {
            this.messageId = messageId;
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

        /** The time that the tracker was told last. */
        private long opening;

        private Pair(long seed) {
            random = new SplittableRandom(seed);
            now = random.nextLong();
            opening = now;
            tracker = new TreeTracker(1 << random.nextInt(3), true, random.nextInt(100), 1);
            tracker.at(now);
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
            assertThat(tracker.capacity() + tracker.oldTrees()).isGreaterThanOrEqualTo(inFlight.size());
        }

        private void open() {
            int tag = random.nextInt(100);
            Object messageId = new Object();
            if (random.nextInt(4) > 0) {
                opening = now;
                tracker.at(now);
            }
            Tree tree = new Tree(tracker.open(messageId), messageId, tag);
            tracker.tag(tree.root, tag);
            tracker.keep(tree.root, tree.payload);
            assertThat(model).as("a root is used once").doesNotContainKey(tree.root);
            assertThat(ended).doesNotContain(tree.root);
            tree.since = opening;
            if (random.nextBoolean()) {
                tree.openEdges.add(tracker.edgeOf(tree.root));
            } else {
                long xor = 0;
                for (int i = random.nextInt(1, 5); i > 0; i--) {
                    tree.openEdges.add(random.nextLong());
                    xor ^= tree.openEdges.get(tree.openEdges.size() - 1);
                }
                tracker.begin(tree.root, xor);
            }
            model.put(tree.root, tree);
            inFlight.add(tree);
        }

        /** Acks one edge, which may have children, whose edges go into the same delta. */
        private void ackOne() {
            Tree tree = anyTree();
            if (tree == null || tree.complete) {
                return;
            }
            if (tree.openEdges.equals(List.of(tracker.edgeOf(tree.root))) && random.nextBoolean()) {
                ackOnlyEdge(tree);
                return;
            }
            long delta = tree.openEdges.remove(random.nextInt(tree.openEdges.size()));
            for (int i = random.nextInt(4) == 0 ? random.nextInt(3) : 0; i > 0; i--) {
                tree.openEdges.add(random.nextLong());
                delta ^= tree.openEdges.get(tree.openEdges.size() - 1);
            }
            assertThat(tracker.ack(tree.root, delta)).isEqualTo(tree.openEdges.isEmpty());
            tree.complete = tree.openEdges.isEmpty();
        }

        /** Either the tree is closed at once, or nothing has changed and it takes an ack. */
        private void ackOnlyEdge(Tree tree) {
            Object id = tracker.closeIfOnlyEdge(tree.root);
            tree.openEdges.clear();
            if (id == null) {
                assertThat(tracker.ack(tree.root, tracker.edgeOf(tree.root))).isTrue();
                tree.complete = true;
                return;
            }
            assertThat(id).isSameAs(tree.messageId);
            assertThat(tracker.lastTag(tree.root)).isEqualTo(tree.tag);
            assertThat(tracker.lastSince(tree.root)).isEqualTo(tree.since);
            gone(tree);
        }

        private void ackLate() {
            if (ended.isEmpty()) {
                return;
            }
            long root = ended.get(random.nextInt(ended.size()));
            assertThat(tracker.ack(root, random.nextLong())).isFalse();
            assertThat(tracker.closeIfOnlyEdge(root)).isNull();
            assertThat(tracker.isOpen(root)).isFalse();
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
            assertThat(tracker.messageId(tree.root)).isSameAs(tree.messageId);
            assertThat(tracker.payload(tree.root)).isSameAs(tree.payload);
            assertThat(tracker.tag(tree.root)).isEqualTo(tree.tag);
            assertThat(tracker.since(tree.root)).isEqualTo(tree.since);
            assertThat(tracker.isOpen(tree.root)).isEqualTo(!tree.complete);
            tracker.close(tree.root);
            gone(tree);
        }

        private void gone(Tree tree) {
            model.remove(tree.root);
            inFlight.remove(tree);
            ended.add(tree.root);
        }

        private void expire() {
            long notSince = now - random.nextInt(3000);
            Set<Long> expected = new TreeSet<>();
            for (Tree tree : inFlight) {
                if (!tree.complete && tree.since - notSince <= 0) {
                    expected.add(tree.root);
                }
            }
            List<Long> found = new ArrayList<>();
            tracker.forEachExpired(notSince, found::add);
            assertThat(found).as("oldest first, each once").containsExactlyElementsOf(expected);
            for (Tree tree : List.copyOf(inFlight)) {
                if (expected.contains(tree.root) && random.nextBoolean()) {
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
        TreeTracker tracker = new TreeTracker(4, false, 1, 1);
        tracker.at(99);
        long before = tracker.open("before");
        tracker.at(100);
        long first = tracker.open("first");
        long second = tracker.open("second");
        tracker.close(second);

        tracker.postpone(100, 500);

        assertThat(tracker.since(before)).isEqualTo(99);
        assertThat(tracker.since(first)).isEqualTo(500);
        List<Long> expired = new ArrayList<>();
        tracker.forEachExpired(400, expired::add);
        assertThat(expired).containsExactly(before);
    }

    @Test
    void shouldNotGrowBecauseOneTreeStaysInFlight() {
        TreeTracker tracker = new TreeTracker(16, false, 1, 1);
        long stuck = tracker.open("stuck");
        for (int i = 0; i < 100_000; i++) {
            tracker.at(i);
            tracker.close(tracker.open(i));
        }

        assertThat(tracker.capacity()).isEqualTo(16);
        assertThat(tracker.isOpen(stuck)).isTrue();
        assertThat(tracker.ack(stuck, tracker.edgeOf(stuck))).isTrue();
        tracker.close(stuck);
        assertThat(tracker.inFlight()).isZero();
    }

    /** One in three stays for long, so that the ring is never half full of trees in flight. */
    @Test
    void shouldGrowByWhatIsInFlight() {
        int slow = 30_000;
        TreeTracker tracker = new TreeTracker(512, false, 1, 1);
        ArrayDeque<Long> open = new ArrayDeque<>();
        for (int i = 0; i < 20 * slow; i++) {
            tracker.at(i);
            long root = tracker.open(i);
            if (i % 3 == 0) {
                open.add(root);
            } else {
                tracker.close(root);
            }
            if (open.size() > slow) {
                tracker.close(open.remove());
            }
        }

        assertThat(tracker.inFlight()).isEqualTo(slow);
        assertThat(tracker.capacity()).isBetween(slow, 8 * slow);
        assertThat(tracker.oldTrees()).isZero();
        open.forEach(root -> assertThat(tracker.isOpen(root)).isTrue());
        open.forEach(tracker::close);
        assertThat(tracker.inFlight()).isZero();
    }
}
