package io.updraft.bench.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.bench.spec.Shape;
import org.junit.jupiter.api.Test;

class BenchRunStateTest {

    private final Shape shape = new Shape("sol", 1, 1, 1, 10, true, 0);
    private final SpeedOfLightTopology topology = new SpeedOfLightTopology();

    @Test
    void shouldSumOverTheTasksOfAComponent() {
        BenchRunState run = BenchRunState.of("sums");
        run.probe("a").received();
        run.probe("a").received();
        run.probe("b").received();

        assertThat(run.sum("a", TaskCounter.RECEIVED)).isEqualTo(2);
        assertThat(run.sum(TaskCounter.RECEIVED)).isEqualTo(3);
        assertThat(BenchRunState.of("sums")).isSameAs(run);
    }

    @Test
    void shouldNameWhatIsMissing() {
        BenchRunState run = BenchRunState.of("missing");
        BenchTaskCounters spout = run.probe("spout");
        BenchTaskCounters bolt = run.probe("bolt-1");
        spout.emitted();
        assertThat(topology.missing(shape, run))
                .containsExactly(
                        "emitted 1 but acked or failed 0 (difference -1)",
                        "emitted 1 but bolt-1 received 0 (difference -1)");

        bolt.received();
        spout.acked();
        assertThat(topology.missing(shape, run)).isEmpty();
    }

    @Test
    void shouldMissNoMessageOfWhichItsSpoutWasToldThatItFailed() {
        BenchRunState run = BenchRunState.of("failed");
        BenchTaskCounters spout = run.probe("spout");
        BenchTaskCounters bolt = run.probe("bolt-1");
        spout.emitted();
        spout.emitted();
        spout.failed();
        spout.acked();
        assertThat(topology.missing(shape, run)).containsExactly("emitted 2 but bolt-1 received 0 (difference -2)");

        bolt.received();
        assertThat(topology.missing(shape, run)).isEmpty();
        bolt.received();
        bolt.received();
        assertThat(topology.missing(shape, run)).containsExactly("emitted 2 but bolt-1 received 3 (difference 1)");
    }

    @Test
    void shouldRecordLatenciesOfTheMeasuredPartOnly() {
        BenchRunState run = BenchRunState.of("latencies");
        BenchTaskCounters spout = run.probe("spout");
        spout.prepareLatency();
        long before = System.nanoTime();
        spout.recordLatency(before);
        run.startWindow();
        long within = System.nanoTime();
        spout.recordLatency(before);
        spout.recordLatency(within);
        run.endWindow();
        spout.recordLatency(System.nanoTime());
        spout.recordLatency(within); // completes late, but was due in time

        assertThat(run.latencies().getTotalCount()).isEqualTo(2);
    }
}
