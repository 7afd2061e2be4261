package io.updraft.bench.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.bench.spec.Shape;
import org.junit.jupiter.api.Test;

class RunStateTest {

    private final Shape shape = new Shape("sol", 1, 1, 1, 10, true, 0);
    private final SpeedOfLight topology = new SpeedOfLight();

    @Test
    void shouldSumOverTheTasksOfAComponent() {
        RunState run = RunState.of("sums");
        run.probe("a").received();
        run.probe("a").received();
        run.probe("b").received();

        assertThat(run.sum("a", Counter.RECEIVED)).isEqualTo(2);
        assertThat(run.sum(Counter.RECEIVED)).isEqualTo(3);
        assertThat(RunState.of("sums")).isSameAs(run);
    }

    @Test
    void shouldNameWhatIsMissing() {
        RunState run = RunState.of("missing");
        Probe spout = run.probe("spout");
        Probe bolt = run.probe("bolt-1");
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
        RunState run = RunState.of("failed");
        Probe spout = run.probe("spout");
        Probe bolt = run.probe("bolt-1");
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
        RunState run = RunState.of("latencies");
        Probe spout = run.probe("spout");
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
