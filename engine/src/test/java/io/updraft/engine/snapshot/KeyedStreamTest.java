package io.updraft.engine.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class KeyedStreamTest {

    private static KeyedStream stream(long[] rates, KeyRate... keys) {
        return new KeyedStream("a", "default", "b", "word", rates, List.of(keys), List.of());
    }

    private static KeyRate key(String key, int position, long rate) {
        return new KeyRate(key, 10 + position, position, rate);
    }

    @Test
    void shouldCallAKeyHotThatOverloadsItsTask() {
        assertThat(stream(new long[] {10, 70, 10, 10}, key("the", 1, 65)).skewedKeys())
                .containsExactly(new HotKey("a", "default", "b", "word", "the", 650, 11, 1, 4, 700));
        assertThat(stream(new long[] {25, 75}, key("the", 1, 60)).skewedKeys()).hasSize(1);
    }

    @Test
    void shouldNotCallAKeyHotIfItsTaskHasNoMoreThanTheOthers() {
        // Two keys, one for each task.
        assertThat(stream(new long[] {50, 50}, key("a", 0, 50), key("b", 1, 50)).skewedKeys())
                .isEmpty();
        assertThat(stream(new long[] {30, 70}, key("the", 1, 50)).skewedKeys()).isEmpty();
        assertThat(stream(new long[] {100}, key("the", 0, 100)).skewedKeys()).isEmpty();
    }

    @Test
    void shouldNotCallARareKeyHot() {
        long[] rates = new long[20];
        Arrays.fill(rates, 46);
        rates[3] = 126;
        assertThat(stream(rates, key("rare", 3, 99)).skewedKeys()).isEmpty();
        assertThat(stream(rates, key("hot", 3, 101)).skewedKeys()).hasSize(1);
    }

    @Test
    void shouldNotDivideByZero() {
        assertThat(stream(new long[4], key("the", 0, 0)).skewedKeys()).isEmpty();
    }

    @Test
    void shouldAddUpParts() {
        KeyedStream other = new KeyedStream("a", "other", "b", "word", new long[] {1, 2}, List.of(), List.of());
        List<KeyedStream> merged = KeyedStream.merge(Stream.of(
                other,
                stream(new long[] {10, 20}, key("x", 1, 9), key("y", 0, 8)),
                stream(new long[] {1, 200}, key("y", 1, 90), key("x", 1, 70))));
        assertThat(merged)
                .usingRecursiveFieldByFieldElementComparator()
                .containsExactly(stream(new long[] {11, 220}, key("y", 1, 90), key("x", 1, 79), key("y", 0, 8)), other);
    }
}
