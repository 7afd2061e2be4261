package io.updraft.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.bench.spec.RunResult;
import io.updraft.bench.spec.Shape;
import java.util.List;
import org.apache.storm.Config;
import org.junit.jupiter.api.Test;

class PeerTuningTest {

    @Test
    void shouldTryAllBatchesWithAllPendings() {
        assertThat(StormSettings.candidates(PromiseSuite.ONE_HOP, 0)).hasSize(9);
        assertThat(StormSettings.candidates(PromiseSuite.UNTRACKED, 0)).hasSize(3);
    }

    @Test
    void shouldLetThreadsParkWhereThereAreMany() {
        assertThat(StormSettings.candidates(PromiseSuite.MANY, 0))
                .anySatisfy(settings -> assertThat(settings.conf())
                        .containsEntry(Config.TOPOLOGY_BOLT_WAIT_STRATEGY, "org.apache.storm.policy.WaitStrategyPark"));
    }

    @Test
    void shouldKeepTheUsersPending() {
        assertThat(StormSettings.candidates(PromiseSuite.ONE_HOP, 77))
                .hasSize(3)
                .allSatisfy(
                        settings -> assertThat(settings.conf()).containsEntry(Config.TOPOLOGY_MAX_SPOUT_PENDING, 77));
    }

    @Test
    void shouldCountWhatIsPendingOfTridentInBatches() {
        Shape trident = new Shape("tridentwords", 1, 4, 1, 10, true, 0);

        assertThat(StormSettings.candidates(trident, 0))
                .extracting(settings -> settings.conf().get(Config.TOPOLOGY_MAX_SPOUT_PENDING))
                .containsOnly(2, 4, 8);
        assertThat(StormSettings.usual(trident, 0).conf()).containsEntry(Config.TOPOLOGY_MAX_SPOUT_PENDING, 2);
    }

    @Test
    void shouldShareThePendingMessagesAmongManySpouts() {
        assertThat(StormSettings.usual(PromiseSuite.MANY, 0).conf())
                .containsEntry(Config.TOPOLOGY_MAX_SPOUT_PENDING, 50);
    }

    @Test
    void shouldTryOneAndTwoInstancesOnFlink() {
        assertThat(PeerSettings.flinkCandidates("2.3.0"))
                .hasSize(4)
                .doesNotHaveDuplicates()
                .contains(PeerSettings.flink("2.3.0"))
                .extracting(settings -> settings.conf().get("parallelism.default"))
                .containsOnly(1, 2);
        assertThat(PeerSettings.flink("2.3.0").name()).isEqualTo("2.3.0, no checkpoints, parallelism 2");
    }

    @Test
    void shouldPreferThroughputAndInOpenLoopLatency() {
        assertThat(PeerTuning.score(PromiseSuite.ONE_HOP, SampleSeries.result(200)))
                .isGreaterThan(PeerTuning.score(PromiseSuite.ONE_HOP, SampleSeries.result(100)));
        assertThat(PeerTuning.score(PromiseSuite.PACED, SampleSeries.result(100_000, 1_000_000)))
                .isGreaterThan(PeerTuning.score(PromiseSuite.PACED, SampleSeries.result(100_000, 2_000_000)))
                .isGreaterThan(PeerTuning.score(PromiseSuite.PACED, SampleSeries.result(50_000, 1000)));
    }

    @Test
    void shouldNeverPreferAnInvalidRun() {
        assertThat(PeerTuning.score(PromiseSuite.ONE_HOP, RunResult.failed(List.of("lost"))))
                .isEqualTo(Double.NEGATIVE_INFINITY);
    }
}
