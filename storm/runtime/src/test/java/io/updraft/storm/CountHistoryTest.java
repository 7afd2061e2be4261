package io.updraft.storm;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.engine.snapshot.ComponentSnapshot;
import io.updraft.engine.snapshot.EngineSnapshot;
import io.updraft.engine.snapshot.LatencySummary;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class CountHistoryTest {
    private final CountHistory history = new CountHistory();

    @Test
    void shouldCountAllInEveryWindowAtFirst() {
        assertThat(emittedAt(599, 1000)).containsExactly(1000L, 1000L, 1000L, 1000L);
    }

    @Test
    void shouldForgetWhatIsOlderThanTheWindow() {
        // Ten tuples a second, looked at every half minute for four hours.
        for (int seconds = 30; seconds <= 14_400; seconds += 30) {
            history.record(at(seconds, seconds * 10L));
        }

        assertThat(emittedAt(14_410, 144_100))
                .satisfiesExactly(
                        allTime -> assertThat(allTime).isEqualTo(144_100L),
                        tenMinutes -> assertThat(tenMinutes).isBetween(6_000L, 6_300L),
                        threeHours -> assertThat(threeHours).isBetween(108_000L, 113_400L),
                        day -> assertThat(day).isEqualTo(144_100L));
    }

    @Test
    void shouldCountNothingInAWindowInWhichNothingWasDone() {
        for (int seconds = 30; seconds <= 3_600; seconds += 30) {
            history.record(at(seconds, Math.min(seconds, 600)));
        }

        assertThat(emittedAt(3_610, 600)).startsWith(600L, 0L, 600L);
    }

    private List<Long> emittedAt(long seconds, long emitted) {
        return history.windows(at(seconds, emitted)).values().stream()
                .map(counts -> counts.get(0).sum().emitted())
                .toList();
    }

    private static EngineSnapshot at(long seconds, long emitted) {
        ComponentSnapshot spout = new ComponentSnapshot(
                "spout",
                true,
                1,
                1,
                emitted,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                false,
                false,
                LatencySummary.EMPTY,
                LatencySummary.EMPTY,
                List.of());
        return new EngineSnapshot(
                TimeUnit.SECONDS.toNanos(seconds),
                true,
                List.of(spout),
                List.of(),
                new long[0],
                0,
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of());
    }
}
