package io.updraft.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.bench.spec.RunResult;
import io.updraft.bench.spec.Shape;
import java.util.List;
import org.junit.jupiter.api.Test;

class PromisesTest {

    @Test
    void shouldCompareMediansWithStorms() {
        Verdict verdict = Promises.speed(1, "speed", pair(Suite.ONE_HOP, 2600, 100), 25);

        assertThat(verdict.measured()).isEqualTo("26.0x");
        assertThat(verdict.outcome()).isEqualTo(Verdict.Outcome.MET);
        assertThat(Promises.speed(1, "speed", pair(Suite.ONE_HOP, 2400, 100), 25)
                        .outcome())
                .isEqualTo(Verdict.Outcome.NOT_MET);
    }

    @Test
    void shouldNotJudgeASpeedWithoutStorm() {
        Pair alone = new Pair(Some.series(Side.UPDRAFT, Suite.ONE_HOP, 2600), null);

        assertThat(Promises.speed(1, "speed", alone, 25).outcome()).isEqualTo(Verdict.Outcome.NOT_COMPARED);
    }

    @Test
    void shouldNotKeepAPromiseWithAnInvalidRun() {
        Series lossy = new Series(
                Side.UPDRAFT, Variant.NONE, Suite.ONE_HOP, "", List.of(RunResult.failed(List.of("lost one"))));
        Pair pair = new Pair(lossy, Some.series(Side.STORM, Suite.ONE_HOP, 1));

        assertThat(Promises.speed(1, "speed", pair, 25).outcome()).isEqualTo(Verdict.Outcome.INVALID);
    }

    @Test
    void shouldChargeTrackingWithWhatIsMissingToUntracked() {
        Verdict verdict = Promises.tracking(pair(Suite.ONE_HOP, 90, 40), pair(Suite.UNTRACKED, 100, 100));

        assertThat(verdict.measured()).isEqualTo("10.0%");
        assertThat(verdict.storm()).isEqualTo("60.0%");
        assertThat(verdict.outcome()).isEqualTo(Verdict.Outcome.MET);
    }

    @Test
    void shouldCountTheHopsOfALargeTopology() {
        Verdict verdict = Promises.largeTopology(pair(Suite.MANY, 15, 2), pair(Suite.ONE_HOP, 100, 100));

        assertThat(verdict.measured()).isEqualTo("75.0%");
        assertThat(verdict.storm()).isEqualTo("10.0%");
        assertThat(verdict.outcome()).isEqualTo(Verdict.Outcome.MET);
    }

    @Test
    void shouldJudgeLatencyOnlyWhenTheRateWasKept() {
        assertThat(latencyAt(100_000, 900_000)).isEqualTo(Verdict.Outcome.MET);
        assertThat(latencyAt(100_000, 1_100_000)).isEqualTo(Verdict.Outcome.NOT_MET);
        assertThat(latencyAt(90_000, 900_000)).isEqualTo(Verdict.Outcome.NOT_MET);
    }

    private static Verdict.Outcome latencyAt(double rate, long p99) {
        Series series = new Series(Side.UPDRAFT, Variant.NONE, Suite.PACED, "", List.of(Some.result(rate, p99)));
        return Promises.latency(new Pair(series, null)).outcome();
    }

    private static Pair pair(Shape shape, double updraft, double storm) {
        return new Pair(Some.series(Side.UPDRAFT, shape, updraft), Some.series(Side.STORM, shape, storm));
    }
}
