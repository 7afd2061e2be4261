package io.updraft.bench.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.bench.spec.Shape;
import io.updraft.bench.topology.state.BenchRunState;
import io.updraft.bench.topology.state.TaskCounter;
import io.updraft.storm.UpdraftCluster;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.storm.Config;
import org.junit.jupiter.api.Test;

/** The topologies of Storm's higher layers on the embedded engine: what they compute is right, and the checks notice what is not. */
class HostedTopologiesTest {

    @Test
    void shouldSumUpEveryWindow() throws Exception {
        assertThat(run(new Shape("windowsum", 1, 1, 1, 10, true, 0), 5_000).sum("sums", TaskCounter.RECEIVED))
                .isGreaterThanOrEqualTo(500);
    }

    @Test
    void shouldCountEachWordOfTridentOnce() throws Exception {
        BenchRunState run = run(new Shape("tridentwords", 2, 2, 1, 10, true, 0), 5 * SentenceBatches.BATCH);

        assertThat(run.wordCounts())
                .hasSize(2)
                .allSatisfy(part -> assertThat(part).isNotEmpty());
    }

    @Test
    void shouldNoticeASumThatIsWrong() {
        BenchRunState run = BenchRunState.of("wrong sums");
        run.words(Map.of(WindowSumTopology.WRONG, 3));

        assertThat(new WindowSumTopology().wrong(new Shape("windowsum", 1, 1, 1, 10, true, 0), run))
                .singleElement()
                .asString()
                .contains("counted 3");
    }

    @Test
    void shouldKnowTheSumOfEachWindow() {
        assertThat(WindowSumCheckBolt.expected(1)).isEqualTo(45); // 0 to 9
        assertThat(WindowSumCheckBolt.expected(3)).isEqualTo(435); // 0 to 29
        assertThat(WindowSumCheckBolt.expected(101)).isEqualTo(19_790 + 45); // 980 to 999, 0 to 9
    }

    private static BenchRunState run(Shape shape, long messages) throws Exception {
        BenchTopology topology = BenchTopologies.named(shape.topology());
        String id = "hosted-" + shape.topology();
        BenchRunState run = BenchRunState.of(id);
        // A batch of Trident's that is not done in time begins anew, on a busy machine again and again.
        Map<String, Object> conf = new HashMap<>(
                Map.of(Config.TOPOLOGY_MAX_SPOUT_PENDING, 1000, Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS, 300));
        conf.putAll(topology.conf(shape));
        try (UpdraftCluster cluster =
                new UpdraftCluster.Builder().withDrainLimit(Duration.ZERO).build()) {
            cluster.submitTopology("hosted", conf, topology.build(shape, id));
            await(() -> topology.delivered(shape, run) >= messages);
            run.stopSpouts();
            await(() -> topology.missing(shape, run).isEmpty());
            assertThat(topology.wrong(shape, run)).isEmpty();
        }
        return run;
    }

    private static void await(BooleanSupplier condition) {
        long limit = System.nanoTime() + TimeUnit.MINUTES.toNanos(4);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - limit).as("waited in vain").isNegative();
            LockSupport.parkNanos(1_000_000);
        }
    }
}
