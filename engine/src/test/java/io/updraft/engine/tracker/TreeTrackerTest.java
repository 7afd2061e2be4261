package io.updraft.engine.tracker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TreeTrackerTest {

    private final TreeTracker tracker = new TreeTracker(2, true);

    private long open(Object id, long xor, long nanos) {
        int slot = tracker.open();
        tracker.commit(slot, id, "payload of " + id, xor, nanos, 3);
        return tracker.root(slot);
    }

    @Test
    void shouldCompleteATreeWhenAllEdgesAreAcked() {
        long root = open("a", 5 ^ 9, 0);
        assertThat(tracker.ack(root, 5)).isEqualTo(TreeTracker.NONE);
        int slot = tracker.ack(root, 9);
        assertThat(slot).isEqualTo(Roots.slot(root));
        assertThat(tracker.messageId(slot)).isEqualTo("a");
        assertThat(tracker.payload(slot)).isEqualTo("payload of a");
        assertThat(tracker.tag(slot)).isEqualTo(3);
        tracker.close(slot);
        assertThat(tracker.inFlight()).isZero();
    }

    @Test
    void shouldIgnoreWhatComesAfterTheEnd() {
        long root = open("a", 5, 0);
        tracker.close(tracker.ack(root, 5));
        assertThat(tracker.ack(root, 5)).isEqualTo(TreeTracker.NONE);
        assertThat(tracker.find(root)).isEqualTo(TreeTracker.NONE);
        long next = open("b", 7, 0);
        assertThat(Roots.slot(next)).isEqualTo(Roots.slot(root));
        assertThat(tracker.ack(root, 7)).isEqualTo(TreeTracker.NONE);
        assertThat(tracker.find(next)).isNotEqualTo(TreeTracker.NONE);
        assertThat(tracker.ack(next, 7)).isEqualTo(Roots.slot(next));
    }

    @Test
    void shouldNotCompleteATreeTwiceBeforeItIsClosed() {
        long root = open("a", 5, 0);
        assertThat(tracker.ack(root, 5)).isNotEqualTo(TreeTracker.NONE);
        assertThat(tracker.ack(root, 0)).isEqualTo(TreeTracker.NONE);
        assertThat(tracker.find(root)).isEqualTo(TreeTracker.NONE);
    }

    @Test
    void shouldIgnoreASlotThatDoesNotExist() {
        assertThat(tracker.ack(Roots.first(1_000), 1)).isEqualTo(TreeTracker.NONE);
        assertThat(tracker.find(Roots.first(1_000))).isEqualTo(TreeTracker.NONE);
        tracker.touch(Roots.first(1_000), 1);
    }

    @Test
    void shouldFindAllThatExpired() {
        long old = open("old", 1, 100);
        long touched = open("touched", 1, 100);
        open("young", 1, 300);
        tracker.touch(touched, 300);
        assertThat(tracker.nextExpired(0, 200)).isEqualTo(Roots.slot(old));
        assertThat(tracker.nextExpired(Roots.slot(old) + 1, 200)).isEqualTo(TreeTracker.NONE);
        assertThat(tracker.nextExpired(0, 99)).isEqualTo(TreeTracker.NONE);
    }

    @Test
    void shouldCompareTimesThatOverflow() {
        long root = open("a", 1, Long.MAX_VALUE - 5);
        assertThat(tracker.nextExpired(0, Long.MAX_VALUE - 6)).isEqualTo(TreeTracker.NONE);
        assertThat(tracker.nextExpired(0, Long.MIN_VALUE + 5)).isEqualTo(Roots.slot(root));
    }

    @Test
    void shouldNotExpireASlotThatIsOpenedButNotCommitted() {
        tracker.open();
        assertThat(tracker.nextExpired(0, 1_000)).isEqualTo(TreeTracker.NONE);
    }

    @Test
    void shouldKeepKindAndTreeApart() {
        long root = Roots.next(Roots.next(Roots.first(17)));
        for (long kind : new long[] {Roots.ACK, Roots.FAIL, Roots.RESET_TIMEOUT}) {
            assertThat(Roots.kind(root | kind)).isEqualTo(kind);
            assertThat(Roots.withoutKind(root | kind)).isEqualTo(root);
            assertThat(Roots.slot(root | kind)).isEqualTo(17);
        }
    }

    @Test
    void shouldWrapTheGenerationWithoutTouchingTheKind() {
        long last = ~(3L << 62) & ~(Roots.MAX_SLOTS - 1L) | 17;
        assertThat(Roots.kind(Roots.next(last))).isEqualTo(Roots.ACK);
        assertThat(Roots.slot(Roots.next(last))).isEqualTo(17);
    }

    /** Against a map of plain objects, which is what it stands for. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void shouldDoWhatAMapWouldDo(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Map<Long, Long> model = new HashMap<>();
        List<Long> everOpened = new ArrayList<>();
        for (int i = 0; i < 50_000; i++) {
            switch (random.nextInt(4)) {
                case 0 -> {
                    long xor = 1 + random.nextInt(3);
                    long root = open(i, xor, i);
                    assertThat(model.put(root, xor)).isNull();
                    everOpened.add(root);
                }
                case 1, 2 -> {
                    if (!everOpened.isEmpty()) {
                        long root = everOpened.get(random.nextInt(everOpened.size()));
                        long delta = 1 + random.nextInt(3);
                        Long xor = model.computeIfPresent(root, (r, x) -> x ^ delta);
                        int slot = tracker.ack(root, delta);
                        assertThat(slot).isEqualTo(xor != null && xor == 0 ? Roots.slot(root) : TreeTracker.NONE);
                        if (slot != TreeTracker.NONE) {
                            model.remove(root);
                            tracker.close(slot);
                        }
                    }
                }
                default -> {
                    if (!everOpened.isEmpty()) {
                        long root = everOpened.get(random.nextInt(everOpened.size()));
                        int slot = tracker.find(root);
                        assertThat(slot != TreeTracker.NONE).isEqualTo(model.containsKey(root));
                        if (slot != TreeTracker.NONE) {
                            model.remove(root);
                            tracker.close(slot);
                        }
                    }
                }
            }
            assertThat(tracker.inFlight()).isEqualTo(model.size());
        }
    }
}
