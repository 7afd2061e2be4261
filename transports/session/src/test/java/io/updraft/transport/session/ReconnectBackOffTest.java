package io.updraft.transport.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class ReconnectBackOffTest {

    @Test
    void shouldDoubleUpToTheLongestPauseAndSpreadOverAllAboveTheShortest() {
        for (int failures = 0; failures < 10; failures++) {
            long most = Math.min(1_000, 200L << failures);
            LongSummary pauses = pausesAfter(failures);
            assertThat(pauses.most).isBetween(most * 95 / 100, most);
            assertThat(pauses.least).isBetween(100L, 100 + most / 20);
            assertThat(pauses.mean - 100).isBetween((most - 100) * 0.45, (most - 100) * 0.55);
        }
    }

    @Test
    void shouldPauseAsLongEachTimeWhenTheShortestPauseIsTheLongest() {
        ReconnectBackOff backOff = new ReconnectBackOff(100, 100, new SplittableRandom(1));
        for (int i = 0; i < 20; i++) {
            assertThat(backOff.next()).isEqualTo(100);
        }
    }

    @Test
    void shouldBeginAnewAfterAReset() {
        ReconnectBackOff backOff = new ReconnectBackOff(100, 1_000_000, new SplittableRandom(1));
        backOff.exhaust();
        backOff.reset();
        assertThat(backOff.next()).isLessThanOrEqualTo(200);
        assertThat(backOff.next()).isLessThanOrEqualTo(400);
    }

    @Test
    void shouldStayWithinThePausesThatALongHolds() {
        ReconnectBackOff backOff = new ReconnectBackOff(Long.MAX_VALUE - 1, Long.MAX_VALUE, new SplittableRandom(1));
        for (int i = 0; i < 200; i++) {
            assertThat(backOff.next()).isNotNegative();
        }
    }

    private record LongSummary(long least, long most, double mean) {}

    private static LongSummary pausesAfter(int failures) {
        long[] pauses = LongStream.range(0, 1_000)
                .map(seed -> {
                    ReconnectBackOff backOff = new ReconnectBackOff(100, 1_000, new SplittableRandom(seed));
                    for (int i = 0; i < failures; i++) {
                        backOff.next();
                    }
                    return backOff.next();
                })
                .toArray();
        return new LongSummary(
                LongStream.of(pauses).min().orElseThrow(),
                LongStream.of(pauses).max().orElseThrow(),
                LongStream.of(pauses).average().orElseThrow());
    }
}
