package io.updraft.storm.component;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.storm.component.CombineStep.Combined;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.storm.trident.operation.CombinerAggregator;
import org.apache.storm.trident.tuple.TridentTuple;
import org.junit.jupiter.api.Test;

class CombinedTest {

    /** Adds up, from 0 or from nothing. */
    private record Adding(Long zero) implements CombinerAggregator<Object> {
        @Override
        public Object init(TridentTuple tuple) {
            throw new AssertionError("nothing is made here");
        }

        @Override
        public Object combine(Object one, Object other) {
            return other == null ? one : (Long) one + (Long) other;
        }
    }

    @Test
    void shouldCombineWhatAModelDoesWhateverTheKeysAreAndHoweverManyThereAre() {
        for (long seed = 0; seed < 200; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            Combined combined = new Combined(new Adding(random.nextBoolean() ? 0L : null), random.nextInt(40));
            Map<Object, Long> model = new HashMap<>();
            int keys = random.nextInt(1, 300);
            for (int i = random.nextInt(1000); i > 0; i--) {
                Object key = key(random.nextInt(keys));
                long value = random.nextInt(100);
                combined.add(key, value);
                model.merge(key, value, Long::sum);
            }

            assertThat(asMap(combined)).as("seed %d", seed).isEqualTo(model);
        }
    }

    /** Null, and numbers of which some hash alike. */
    private static Object key(int number) {
        return number == 0 ? null : number % 2 == 0 ? (Object) number : (double) number;
    }

    private static Map<Object, Long> asMap(Combined combined) {
        Map<Object, Long> all = new HashMap<>();
        for (int i = 0; i < combined.size(); i++) {
            assertThat(all.put(combined.key(i), (Long) combined.value(i)))
                    .as("a key comes once")
                    .isNull();
        }
        return all;
    }

    @Test
    void shouldTakeTheFirstValueWhereThereIsNoZero() {
        Combined combined = new Combined(new Adding(null), 0);

        combined.add("a", null);
        combined.add("a", 5L);
        combined.add("a", null);
        combined.add("a", 2L);

        assertThat(combined.size()).isEqualTo(1);
        assertThat(combined.value(0)).isEqualTo(7L);
    }
}
