package io.updraft.engine.tuple;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TreeTrackerTest {

    private final TreeTracker tracker = new TreeTracker(4, true, 42, 1);

    private long open(Object id) {
        return open(id, 0);
    }

    private long open(Object id, long nanos) {
        tracker.at(nanos);
        long root = tracker.open(id);
        tracker.tag(root, 3);
        tracker.keep(root, "payload of " + id);
        return root;
    }

    private List<Long> expired(long notSince) {
        List<Long> roots = new ArrayList<>();
        tracker.forEachExpired(notSince, roots::add);
        return roots;
    }

    @Test
    void shouldCompleteATreeWhenItsOnlyEdgeIsAcked() {
        long root = open("a");
        assertThat(ackFirstEdge(tracker, root)).isTrue();
        assertThat(tracker.messageId(root)).isEqualTo("a");
        assertThat(tracker.payload(root)).isEqualTo("payload of a");
        assertThat(tracker.tag(root)).isEqualTo(3);
        assertThat(tracker.inFlight()).isEqualTo(1);
        tracker.close(root);
        assertThat(tracker.inFlight()).isZero();
    }

    @Test
    void shouldBeginWithTheRootThatItIsGiven() {
        long first = (7L << 43) + 1;
        TreeTracker later = new TreeTracker(4, false, 42, first);
        later.at(5);
        assertThat(later.inFlight()).isZero();
        for (int i = 0; i < 100; i++) {
            assertThat(later.open(i)).isEqualTo(first + i);
        }
        assertThat(later.inFlight()).isEqualTo(100);
        assertThat(later.ack(1, later.edgeOf(1))).isFalse();
        assertThat(later.closeIfOnlyEdge(1)).isNull();
        assertThat(later.closeIfOnlyEdge(first + 1)).isEqualTo(1);
        assertThat(later.since(first)).isEqualTo(5);
        assertThat(later.inFlight()).isEqualTo(99);
    }

    @Test
    void shouldCompleteNoOpenTreeAfterItWasInvalidatedButKeepThoseThatWereComplete() {
        long complete = open("a");
        long open = open("b");
        ackFirstEdge(tracker, complete);
        assertThat(tracker.invalidate(99)).isEqualTo(open + 1);
        long after = open("c");
        assertThat(ackFirstEdge(tracker, open)).isFalse();
        assertThat(tracker.closeIfOnlyEdge(open)).isNull();
        assertThat(tracker.isOpen(complete)).isFalse();
        assertThat(tracker.messageId(complete)).isEqualTo("a");
        assertThat(expired(Long.MAX_VALUE / 2)).containsExactly(open, after);
        assertThat(ackFirstEdge(tracker, after)).isTrue();
    }

    @Test
    void shouldCompleteATreeWhenAllEdgesAreAckedInWhateverOrder() {
        long first = open("a");
        assertThat(tracker.ack(first, tracker.edgeOf(first) ^ 5 ^ 9)).isFalse();
        assertThat(tracker.ack(first, 9)).isFalse();
        assertThat(tracker.ack(first, 5)).isTrue();
        long second = open("b");
        assertThat(tracker.ack(second, 9)).isFalse();
        assertThat(tracker.ack(second, 5)).isFalse();
        assertThat(tracker.ack(second, tracker.edgeOf(second) ^ 5 ^ 9)).isTrue();
    }

    @Test
    void shouldCompleteATreeWhoseFirstEdgeIsAckedLast() {
        long root = open("a");
        assertThat(tracker.ack(root, 7)).isFalse();
        assertThat(ackFirstEdge(tracker, root)).isFalse();
        assertThat(tracker.ack(root, 7)).isTrue();
    }

    @Test
    void shouldBeginWithTheEdgesOfSeveralTuples() {
        long root = open("a");
        tracker.begin(root, 5 ^ 9);
        assertThat(tracker.ack(root, 5)).isFalse();
        assertThat(tracker.ack(root, 9)).isTrue();
    }

    @Test
    void shouldIgnoreWhatComesAfterTheEnd() {
        long root = open("a");
        assertThat(ackFirstEdge(tracker, root)).isTrue();
        assertThat(ackFirstEdge(tracker, root)).isFalse();
        assertThat(tracker.ack(root, 0)).isFalse();
        assertThat(tracker.isOpen(root)).isFalse();
        tracker.close(root);
        assertThat(ackFirstEdge(tracker, root)).isFalse();
        for (int i = 0; i < 20; i++) {
            long next = open(i);
            assertThat(next).isNotEqualTo(root);
            assertThat(tracker.ack(root, tracker.edgeOf(root))).isFalse();
            assertThat(tracker.ack(root, tracker.edgeOf(next))).isFalse();
            assertThat(tracker.isOpen(next)).isTrue();
            assertThat(ackFirstEdge(tracker, next)).isTrue();
            tracker.close(next);
        }
    }

    @Test
    void shouldIgnoreATreeThatWasNeverOpened() {
        assertThat(tracker.ack(1_000, 1)).isFalse();
        assertThat(ackFirstEdge(tracker, 1_000)).isFalse();
        assertThat(tracker.isOpen(1_000)).isFalse();
        assertThat(tracker.isOpen(0)).isFalse();
        tracker.touch(1_000, 1);
    }

    @Test
    void shouldSetAsideATreeThatOutlivesAllOthers() {
        long old = open("old");
        for (int i = 0; i < 1_000; i++) {
            long root = open(i);
            assertThat(ackFirstEdge(tracker, root)).isTrue();
            tracker.close(root);
        }
        assertThat(tracker.oldTrees()).isEqualTo(1);
        assertThat(tracker.capacity()).isLessThanOrEqualTo(8);
        assertThat(tracker.isOpen(old)).isTrue();
        assertThat(tracker.messageId(old)).isEqualTo("old");
        assertThat(tracker.payload(old)).isEqualTo("payload of old");
        assertThat(tracker.tag(old)).isEqualTo(3);
        tracker.touch(old, 77);
        assertThat(tracker.since(old)).isEqualTo(77);
        assertThat(ackFirstEdge(tracker, old)).isTrue();
        assertThat(ackFirstEdge(tracker, old)).isFalse();
        tracker.close(old);
        assertThat(tracker.inFlight()).isZero();
    }

    @Test
    void shouldFindAllThatExpired() {
        long old = open("old", 100);
        long touched = open("touched", 100);
        open("young", 300);
        long done = open("done", 100);
        ackFirstEdge(tracker, done);
        tracker.touch(touched, 300);
        assertThat(expired(200)).containsExactly(old);
        assertThat(expired(99)).isEmpty();
    }

    @Test
    void shouldCompareTimesThatOverflow() {
        long root = open("a", Long.MAX_VALUE - 5);
        assertThat(expired(Long.MAX_VALUE - 6)).isEmpty();
        assertThat(expired(Long.MIN_VALUE + 5)).containsExactly(root);
    }

    @Test
    void shouldLetWhatExpiresBeClosedAndReplacedAtOnce() {
        for (int i = 0; i < 10; i++) {
            open(i, i);
        }
        Set<Object> seen = new HashSet<>();
        tracker.forEachExpired(100, root -> {
            seen.add(tracker.messageId(root));
            tracker.close(root);
            open("again", 50);
        });
        assertThat(seen).containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
        assertThat(tracker.inFlight()).isEqualTo(10);
    }

    /** Against a map of plain objects, which is what it stands for. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void shouldDoWhatAMapWouldDo(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        // The larger, the more oldTrees; the smaller, the more growth.
        int reach = seed % 2 == 0 ? 20 : 2_000;
        Map<Long, Long> model = new HashMap<>();
        List<Long> everOpened = new ArrayList<>();
        for (int i = 0; i < 60_000; i++) {
            if (everOpened.isEmpty() || random.nextInt(4) == 0) {
                long root = open(i, i);
                long xor = tracker.edgeOf(root);
                if (random.nextInt(3) == 0) {
                    xor = 1 + random.nextInt(3);
                    tracker.begin(root, xor);
                }
                assertThat(model.put(root, xor)).isNull();
                everOpened.add(root);
                continue;
            }
            int back = random.nextInt(10) == 0 ? everOpened.size() : Math.min(reach, everOpened.size());
            long root = everOpened.get(everOpened.size() - 1 - random.nextInt(back));
            boolean complete;
            if (random.nextInt(10) == 0) {
                assertThat(tracker.isOpen(root)).isEqualTo(model.containsKey(root));
                complete = tracker.isOpen(root);
            } else {
                boolean only = random.nextInt(3) > 0;
                long edges = only ? tracker.edgeOf(root) : 1 + random.nextInt(3);
                Long xor = model.computeIfPresent(root, (r, x) -> x ^ edges);
                complete = only ? ackFirstEdge(tracker, root) : tracker.ack(root, edges);
                assertThat(complete).isEqualTo(xor != null && xor == 0);
            }
            if (complete) {
                model.remove(root);
                tracker.close(root);
            }
            assertThat(tracker.inFlight()).isEqualTo(model.size());
        }
    }

    private static boolean ackFirstEdge(TreeTracker tracker, long root) {
        return tracker.ack(root, tracker.edgeOf(root));
    }
}
