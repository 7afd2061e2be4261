package io.updraft.engine.mesh;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SpscRingTest {

    @ParameterizedTest
    @CsvSource({"1, 1", "2, 2", "3, 4", "64, 64", "65, 128"})
    void shouldRoundItsCapacityUp(int wanted, int capacity) {
        SpscRing<Integer> ring = new SpscRing<>(wanted);
        for (int i = 0; i < capacity; i++) {
            assertThat(ring.offer(i)).isTrue();
        }
        assertThat(ring.offer(-1)).isFalse();
        assertThat(ring.capacity()).isEqualTo(capacity);
        assertThat(ring.size()).isEqualTo(capacity);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 8})
    void shouldDoWhatABoundedQueueDoes(int capacity) {
        SpscRing<Integer> ring = new SpscRing<>(capacity);
        Deque<Integer> model = new ArrayDeque<>();
        SplittableRandom random = new SplittableRandom(capacity);
        for (int i = 0; i < 10_000; i++) {
            if (random.nextBoolean()) {
                assertThat(ring.offer(i)).isEqualTo(model.size() < capacity);
                if (model.size() < capacity) {
                    model.add(i);
                }
            } else {
                assertThat(ring.poll()).isEqualTo(model.poll());
            }
            assertThat(ring.size()).isEqualTo(model.size());
            assertThat(ring.isEmpty()).isEqualTo(model.isEmpty());
        }
    }

    @Test
    void shouldHandOverInOrderBetweenThreads() throws InterruptedException {
        int count = 50_000;
        SpscRing<Integer> ring = new SpscRing<>(16);
        Thread producer = new Thread(() -> {
            for (int i = 0; i < count; i++) {
                while (!ring.offer(i)) {
                    Thread.yield();
                }
            }
        });
        producer.start();
        for (int i = 0; i < count; ) {
            Integer next = ring.poll();
            if (next == null) {
                Thread.yield();
            } else {
                assertThat((int) next).isEqualTo(i++);
            }
        }
        producer.join();
        assertThat(ring.isEmpty()).isTrue();
    }
}
