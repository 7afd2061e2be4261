package io.updraft.engine.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.engine.snapshot.LatencyHistogram;
import io.updraft.engine.snapshot.LatencySummary;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class LatencyRecorderTest {
    private static final List<Long> BOUNDS = LatencyHistogram.BOUNDS_NANOS;

    private final LatencyRecorder recorder = new LatencyRecorder();
    private final LatencyRecorder other = new LatencyRecorder();
    private final LatencyTotal total = new LatencyTotal();

    private LatencySummary summary() {
        return total.drain(List.of(recorder, other));
    }

    private LatencyHistogram all() {
        return summary().all();
    }

    @Test
    void shouldHaveNoLatencyInAnIntervalWithoutCalls() {
        recorder.record(100);
        LatencyHistogram one = new LatencyHistogram(100, List.of(1L));
        assertThat(summary()).isEqualTo(new LatencySummary(100, 100, 100, 100, 100, one));
        assertThat(summary()).isEqualTo(new LatencySummary(0, 0, 0, 100, 100, one));
    }

    @Test
    void shouldTellACallThatTakesNoTimeFromNoCall() {
        recorder.record(0);
        recorder.record(-1);
        assertThat(summary().p50Nanos()).isEqualTo(1);
    }

    @Test
    void shouldCountUpToEachBoundOverAllIntervals() {
        for (int bucket = 0; bucket < BOUNDS.size(); bucket++) {
            recorder.record(BOUNDS.get(bucket));
            other.record(BOUNDS.get(bucket) * 9 / 10);
            LatencyHistogram all = all();
            assertThat(all.counts()).hasSize(bucket + 1).allMatch(count -> count == 2);
        }
        recorder.record(2 * BOUNDS.get(BOUNDS.size() - 1));
        assertThat(all().counts()).hasSize(BOUNDS.size() + 1).endsWith(2L, 1L);
    }

    @Test
    void shouldSumTheLatenciesAndNeverShrink() {
        Random random = new Random(1);
        long exact = 0;
        LatencyHistogram before = LatencyHistogram.EMPTY;
        for (int interval = 0; interval < 50; interval++) {
            for (int value = 0; value < 20; value++) {
                long nanos = Math.round(Math.exp(random.nextDouble() * 25));
                exact += nanos;
                (value % 2 == 0 ? recorder : other).record(nanos);
            }
            LatencyHistogram all = all();
            assertThat(all.nanos()).isGreaterThan(before.nanos());
            for (int bucket = 0; bucket <= BOUNDS.size(); bucket++) {
                assertThat(all.count(bucket)).isGreaterThanOrEqualTo(before.count(bucket));
            }
            before = all;
        }
        assertThat(before.nanos()).isCloseTo(exact, Percentage.withPercentage(1));
        assertThat(before.counts().stream().mapToLong(Long::longValue).sum()).isEqualTo(1_000);
    }

    @Test
    void shouldAddHistogramsOfSeveralProcesses() {
        LatencyHistogram slow = new LatencyHistogram(50, List.of(0L, 3L, 4L));
        LatencyHistogram quick = new LatencyHistogram(5, List.of(10L));
        LatencyHistogram sum = new LatencyHistogram(55, List.of(10L, 3L, 4L));
        assertThat(slow.plus(quick)).isEqualTo(sum);
        assertThat(quick.plus(slow)).isEqualTo(sum);
        assertThat(sum.plus(LatencyHistogram.EMPTY)).isEqualTo(sum);
        assertThat(IntStream.rangeClosed(0, BOUNDS.size()).mapToLong(sum::count).sum())
                .isEqualTo(17);
    }
}
