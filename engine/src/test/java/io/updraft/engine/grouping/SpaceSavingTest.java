package io.updraft.engine.grouping;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.engine.grouping.SpaceSaving.Heavy;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Compares the table with exact counts. */
@Tag("one-jdk")
class SpaceSavingTest {

    private static final int LENGTH = 20_000;
    private static final int SEEDS = 20;
    private static final SplittableRandom RANDOM = new SplittableRandom(7);

    /** Makes the key of a position of the stream. */
    enum KeyStream {
        UNIFORM(at -> RANDOM.nextInt(1_000)),
        FEW(at -> RANDOM.nextInt(20)),
        ZIPF(at -> (int) (1 / Math.pow(1 - RANDOM.nextDouble(), 1 / 1.1))),
        ALL_DIFFERENT(at -> at),
        ROUND_ROBIN(at -> at % 65),
        HEAVY_AT_THE_END(at -> at < LENGTH * 9 / 10 ? at : -1),
        HEAVY_BETWEEN_OTHERS(at -> at % 10 == 0 ? -1 : at),
        SAME_KEY_TWICE_IN_A_ROW(at -> at / 2);

        private final IntUnaryOperator key;

        KeyStream(IntUnaryOperator key) {
            this.key = key;
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldCountWithAnErrorOfAtMostTheTotalByTheCapacity(KeyStream stream) {
        for (int seed = 0; seed < SEEDS; seed++) {
            int capacity = 1 + new SplittableRandom(seed).nextInt(64);
            SpaceSaving table = new SpaceSaving(capacity);
            Map<Integer, Long> exact = new HashMap<>();
            for (int i = 0; i < LENGTH; i++) {
                int key = stream.key.applyAsInt(i);
                long weight = 1 + i % 3;
                // Some keys have the same hash.
                table.add(new Object[] {key}, key % 100, weight);
                exact.merge(key, weight, Long::sum);
            }
            long bound = table.total() / capacity;
            assertThat(table.total())
                    .isEqualTo(exact.values().stream().mapToLong(n -> n).sum());
            assertBounds(table, exact, bound);
        }
    }

    private static void assertBounds(SpaceSaving table, Map<Integer, Long> exact, long bound) {
        Set<Integer> known = new HashSet<>();
        List<Heavy> all = table.heaviest(0);
        for (Heavy heavy : all) {
            int key = (int) ((Object[]) heavy.key())[0];
            assertThat(known.add(key)).as("one entry for a key").isTrue();
            assertThat(heavy.count()).isBetween(exact.get(key), exact.get(key) + bound);
            assertThat(heavy.guaranteed()).isLessThanOrEqualTo(exact.get(key));
            assertThat(heavy.error()).isLessThanOrEqualTo(bound);
        }
        exact.forEach((key, count) -> {
            if (count > bound) {
                assertThat(known).as("a key heavier than the bound").contains(key);
            }
        });
        assertThat(all).isSortedAccordingTo((a, b) -> Long.compare(b.guaranteed(), a.guaranteed()));
    }

    @ParameterizedTest
    @EnumSource
    void shouldForgetByHalves(KeyStream stream) {
        long unit = 1 << 16;
        int capacity = 64;
        SpaceSaving table = new SpaceSaving(capacity);
        Map<Integer, Long> exact = new HashMap<>();
        long halvings = 0;
        for (int i = 0; i < LENGTH; i++) {
            int key = stream.key.applyAsInt(i);
            table.add(new Object[] {key}, key, unit);
            exact.merge(key, unit, Long::sum);
            if (i % 512 == 511) {
                table.halve();
                exact.replaceAll((any, count) -> count / 2);
                halvings++;
            }
        }
        assertThat(table.total()).isLessThanOrEqualTo(2 * 512 * unit);
        long rounding = 2 * capacity * halvings;
        for (Heavy heavy : table.heaviest(0)) {
            long count = exact.get((int) ((Object[]) heavy.key())[0]);
            assertThat(heavy.count()).isBetween(count - rounding, count + table.total() / capacity + rounding);
        }
    }
}
