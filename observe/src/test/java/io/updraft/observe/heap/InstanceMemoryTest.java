package io.updraft.observe.heap;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class InstanceMemoryTest {
    private static final Percentage ROUGHLY = Percentage.withPercentage(25);
    private static final int MANY = 100_000;

    private static final class Holder {
        private final Object seen;
        private final Object other = new byte[100];

        Holder(Object seen) {
            this.seen = seen;
        }
    }

    /** Returns a node of a linked chain, of the JDK's classes: the engine's own do not count. */
    private static Object[] node(Object next) {
        return new Object[] {next, new long[8]};
    }

    private static HeldMemory held(Object seen) {
        return new InstanceMemory(Duration.ofSeconds(30)).of("collector", 4, new Holder(seen));
    }

    @Test
    void shouldNameTheFieldThatHoldsMost() {
        Map<String, Long> seen = new HashMap<>();
        for (long i = 0; i < MANY; i++) {
            seen.put("key-" + i, i);
        }
        HeldMemory held = held(seen);
        assertThat(held.component()).isEqualTo("collector");
        assertThat(held.largest().name()).isEqualTo("seen");
        assertThat(held.largest().largest()).isEqualTo("a java.util.HashMap of 100000 entries");
        // An entry, its slot, a key of 24 bytes with its characters, and a number.
        assertThat(held.largest().bytes()).isCloseTo(MANY * (32L + 5 + 24 + 32 + 16), ROUGHLY);
        assertThat(held.largest().exact()).isFalse();
        assertThat(held.fields()).hasSize(2);
        assertThat(held.fields().get(1).bytes()).isEqualTo(120);
    }

    @Test
    void shouldMeasureArraysExactly() {
        assertThat(held(new long[MANY]).largest().bytes()).isEqualTo(16 + 8L * MANY);
        HeldField nested =
                held(new byte[][] {new byte[1000], new byte[2000], null}).largest();
        assertThat(nested.bytes()).isEqualTo(32 + 1016 + 2016);
        assertThat(nested.exact()).isTrue();
    }

    @Test
    void shouldCountAnObjectOnceInACycle() {
        Object[] first = node(null);
        first[0] = node(first);
        assertThat(held(first).largest().bytes()).isEqualTo(2 * (24 + 80));
    }

    @Test
    void shouldCountWhatManyElementsShareOnce() {
        byte[] shared = new byte[1 << 20];
        List<Object> list = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            list.add(shared);
        }
        assertThat(held(list).largest().bytes()).isCloseTo((1 << 20) + 5_300L, Percentage.withPercentage(1));
    }

    @Test
    void shouldNotOverflowTheStackAndSayThatALongChainIsALowerBound() {
        Object[] first = null;
        for (int i = 0; i < MANY; i++) {
            first = node(first);
        }
        HeldField chain = held(first).largest();
        assertThat(chain.exact()).isFalse();
        assertThat(chain.bytes()).isBetween(4_000L * (24 + 80), (long) MANY * (24 + 80));
    }

    @Test
    void shouldNotOverflowTheStackWithDeepLists() {
        List<Object> deep = new LinkedList<>();
        for (int i = 0; i < MANY; i++) {
            List<Object> outer = new LinkedList<>();
            outer.add(deep);
            deep = outer;
        }
        assertThat(held(deep).largest().bytes()).isGreaterThan(MANY);
    }

    @Test
    void shouldEndWhenItsTimeIsOver() {
        assertThat(new InstanceMemory(Duration.ZERO)
                        .of("collector", 4, new Holder(new byte[1]))
                        .fields())
                .isEmpty();
    }

    @Test
    void shouldCountNeitherClassesNorThreads() {
        assertThat(held(List.of(String.class, Thread.currentThread(), Duration.class.getModule()))
                        .largest()
                        .bytes())
                .isLessThan(1_000);
    }
}
