package io.updraft.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.bench.spec.RunResult;
import io.updraft.bench.spec.Shape;
import java.util.List;
import org.junit.jupiter.api.Test;

class VerdictTest {

    @Test
    void shouldCompareMediansWithStorms() {
        Verdict verdict = Verdict.speed(1, "speed", pair(PromiseSuite.ONE_HOP, 2600, 100), 25);

        assertThat(verdict.measured()).isEqualTo("26.0x");
        assertThat(verdict.outcome()).isEqualTo(Verdict.Outcome.MET);
        assertThat(Verdict.speed(1, "speed", pair(PromiseSuite.ONE_HOP, 2400, 100), 25)
                        .outcome())
                .isEqualTo(Verdict.Outcome.NOT_MET);
    }

    @Test
    void shouldNotJudgeASpeedWithoutStorm() {
        SeriesPair alone = new SeriesPair(SampleSeries.series(BenchSide.UPDRAFT, PromiseSuite.ONE_HOP, 2600), null);

        assertThat(Verdict.speed(1, "speed", alone, 25).outcome()).isEqualTo(Verdict.Outcome.NOT_COMPARED);
    }

    @Test
    void shouldNotKeepAPromiseWithAnInvalidRun() {
        Series lossy = new Series(
                BenchSide.UPDRAFT, "", PromiseSuite.ONE_HOP, "", List.of(RunResult.failed(List.of("lost one"))));
        SeriesPair pair = new SeriesPair(lossy, SampleSeries.series(BenchSide.STORM, PromiseSuite.ONE_HOP, 1));

        assertThat(Verdict.speed(1, "speed", pair, 25).outcome()).isEqualTo(Verdict.Outcome.INVALID);
    }

    @Test
    void shouldChargeTrackingWithWhatIsMissingToUntracked() {
        Verdict verdict = Verdict.tracking(pair(PromiseSuite.ONE_HOP, 90, 40), pair(PromiseSuite.UNTRACKED, 100, 100));

        assertThat(verdict.measured()).isEqualTo("10.0%");
        assertThat(verdict.storm()).isEqualTo("60.0%");
        assertThat(verdict.outcome()).isEqualTo(Verdict.Outcome.MET);
    }

    @Test
    void shouldCountTheHopsOfALargeTopology() {
        Verdict verdict = Verdict.largeTopology(pair(PromiseSuite.MANY, 15, 2), pair(PromiseSuite.ONE_HOP, 100, 100));

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
        Series series =
                new Series(BenchSide.UPDRAFT, "", PromiseSuite.PACED, "", List.of(SampleSeries.result(rate, p99)));
        return Verdict.latency(new SeriesPair(series, null)).outcome();
    }

    private static SeriesPair pair(Shape shape, double updraft, double storm) {
        return new SeriesPair(
                SampleSeries.series(BenchSide.UPDRAFT, shape, updraft),
                SampleSeries.series(BenchSide.STORM, shape, storm));
    }
}
