package io.updraft.kafka.spout;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.kafka.spout.OffsetTracker.Verdict;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares the tracker with a map of all pending offsets, for random events in random order. */
@Tag("one-jdk")
final class OffsetTrackerModelTest {

    private static final int STEPS = 6_000;
    private static final PartitionSpoutConfig.RetryPolicy POLICY = new PartitionSpoutConfig.RetryPolicy(2, 10, 35);

    /** What the model knows of an offset that is pending. */
    private static final class Entry {
        private final long emitted;
        private int failures;
        private long due = -1;

        Entry(long emitted) {
            this.emitted = emitted;
        }
    }

    private final TreeMap<Long, Entry> model = new TreeMap<>();
    private long position;
    private long now;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})
    void shouldSayWhatTheModelSays(int seed) {
        Random random = new Random(seed);
        position = random.nextInt(5_000);
        OffsetTracker tracker = new OffsetTracker("p", position, 3_000, POLICY);
        // Some runs commit late, some have gaps of many pages.
        int gap = seed % 2 == 0 ? 3 : 10_000;
        int done = 20 + 10 * (seed % 5);
        for (int step = 0; step < STEPS; step++) {
            now += random.nextInt(4);
            int choice = random.nextInt(100);
            if (choice < 20) {
                emit(tracker, random, gap);
            } else if (choice < 20 + done) {
                finish(tracker, random);
            } else if (choice < 90 && seed % 4 != 3) {
                fail(tracker, random);
            } else {
                replay(tracker);
            }
            compare(tracker);
        }
    }

    private void emit(OffsetTracker tracker, Random random, int gap) {
        assertThat(tracker.isFull() || model.size() < 3_000).isTrue();
        if (tracker.isFull()) {
            return;
        }
        if (random.nextInt(4) == 0) {
            position += random.nextInt(gap);
            tracker.advance(position);
        }
        long from = position + (random.nextInt(4) == 0 ? random.nextInt(gap) : 0);
        long to = from + (random.nextBoolean() ? 1 : random.nextInt(300));
        tracker.emitted(from, to, now);
        for (long offset = from; offset < to; offset++) {
            model.put(offset, new Entry(now));
        }
        position = to;
    }

    private void finish(OffsetTracker tracker, Random random) {
        if (random.nextInt(10) == 0) {
            long from = any(random);
            long to = from + random.nextInt(3_000);
            OffsetTrackerTest.done(tracker, from, to);
            model.subMap(from, to).clear();
            return;
        }
        for (int i = random.nextInt(40); i > 0; i--) {
            long offset = any(random);
            assertThat(tracker.done(offset)).isEqualTo(model.remove(offset) != null);
        }
    }

    private void fail(OffsetTracker tracker, Random random) {
        long offset = any(random);
        Entry entry = model.get(offset);
        int attempt = entry == null ? 0 : Math.max(0, entry.failures - random.nextInt(2));
        assertThat(tracker.failed(offset, attempt, now)).isEqualTo(verdict(entry, attempt));
    }

    private Verdict verdict(Entry entry, int attempt) {
        if (entry == null || entry.due >= 0 || attempt != entry.failures || entry.failures > POLICY.retries()) {
            return Verdict.IGNORED;
        }
        entry.failures++;
        if (entry.failures > POLICY.retries()) {
            return Verdict.DEAD;
        }
        entry.due = now + (entry.failures == 1 ? 10 : 20);
        return Verdict.RETRY;
    }

    private void replay(OffsetTracker tracker) {
        long expected = -1;
        for (var entry : model.entrySet()) {
            long due = entry.getValue().due;
            if (due >= 0 && due <= now && (expected < 0 || due < model.get(expected).due)) {
                expected = entry.getKey();
            }
        }
        assertThat(tracker.replay(now)).isEqualTo(expected);
        if (expected >= 0) {
            model.get(expected).due = -1;
        }
    }

    private void compare(OffsetTracker tracker) {
        assertThat(tracker.committable()).isEqualTo(model.isEmpty() ? position : model.firstKey());
        assertThat(tracker.pending()).isEqualTo(model.size());
        assertThat(tracker.position()).isEqualTo(position);
        if (!model.isEmpty()) {
            List<OffsetTracker.Overdue> overdue =
                    tracker.overdue(now, now - model.firstEntry().getValue().emitted, 3);
            assertThat(overdue).isNotEmpty();
            assertThat(overdue.get(0).offset()).isEqualTo(model.firstKey());
            assertThat(overdue.get(0).attempts()).isEqualTo(model.firstEntry().getValue().failures);
        }
    }

    /** Mostly one that is pending, sometimes one that was or will be. */
    private long any(Random random) {
        if (model.isEmpty() || random.nextInt(5) == 0) {
            return Math.max(0, position - 4_000 + random.nextInt(4_500));
        }
        long near = model.firstKey() + (long) (random.nextDouble() * (model.lastKey() - model.firstKey() + 1));
        return random.nextBoolean() ? model.firstKey() : model.floorKey(near);
    }
}
