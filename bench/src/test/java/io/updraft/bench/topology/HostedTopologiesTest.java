package io.updraft.bench.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.base.testing.Await;
import io.updraft.bench.spec.Shape;
import io.updraft.storm.UpdraftCluster;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;
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
    void shouldSumUpEveryWindowOfEachTaskOfAKeyedStream() throws Exception {
        BenchRunState run = run(new Shape("windowsum", 1, 4, 1, 10, true, 0), 5_000);

        assertThat(run.probes(WindowSumTopology.WINDOW))
                .hasSize(4)
                .allSatisfy(task -> assertThat(task.get(TaskCounter.RECEIVED)).isPositive());
    }

    @Test
    void shouldNoticeNumbersThatCameToTheWrongTask() throws Exception {
        Shape shape = new Shape("windowsum", 1, 3, 1, 10, true, 0);
        BenchRunState run = BenchRunState.of("wrong tasks");
        try (UpdraftCluster cluster =
                new UpdraftCluster.Builder().withDrainLimit(Duration.ZERO).build()) {
            cluster.submitTopology(
                    "wrong",
                    Map.of(Config.TOPOLOGY_MAX_SPOUT_PENDING, 1000),
                    WindowSumTopology.build(shape, "wrong tasks", WindowSumTopology.NUMBER));
            Await.until("the sums have received some", () -> run.sum("sums", TaskCounter.RECEIVED) >= 100);
        }

        assertThat(new WindowSumTopology().wrong(shape, run))
                .singleElement()
                .asString()
                .startsWith("wrong sums 0 but");
    }

    @Test
    void shouldNoticeATaskWithoutItsWindowsThoughAnotherHasMore() {
        Shape shape = new Shape("windowsum", 1, 4, 1, 10, false, 0);
        BenchTopology topology = new WindowSumTopology();

        assertThat(topology.missing(shape, counted("even", 10, 10, 10, 10))).isEmpty();
        assertThat(topology.missing(shape, counted("uneven", 11, 10, 9, 10)))
                .containsExactly(
                        "windows due 10 but windows evaluated 11 (difference 1)",
                        "windows due 10 but windows evaluated 9 (difference -1)");
        assertThat(topology.missing(shape, counted("lost", 10, 10, 10, 9)))
                .containsExactly(
                        "windows due 40 but sums received 39 (difference -1)",
                        "windows due 10 but windows evaluated 9 (difference -1)");
    }

    /** A run with 400 numbers, which are 10 windows for each of four tasks, and with these windows. */
    private static BenchRunState counted(String id, int... windows) {
        BenchRunState run = BenchRunState.of(id);
        BenchTaskCounters spout = run.probe(BenchTopology.SPOUT);
        IntStream.range(0, 400).forEach(number -> spout.emitted());
        BenchTaskCounters sums = run.probe("sums");
        for (int ofTask : windows) {
            BenchTaskCounters window = run.probe(WindowSumTopology.WINDOW);
            for (int i = 0; i < ofTask; i++) {
                window.received();
                sums.received();
            }
        }
        return run;
    }

    @Test
    void shouldCountEachWordOfTridentOnce() throws Exception {
        BenchRunState run = run(new Shape("tridentwords", 2, 2, 1, 10, true, 0), 5 * TridentWordsTopology.BATCH);

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

    private static BenchRunState run(Shape shape, long messages) throws Exception {
        BenchTopology topology = BenchTopology.named(shape.topology());
        String id = "hosted-" + shape.topology() + shape.bolts();
        BenchRunState run = BenchRunState.of(id);
        // A batch of Trident's that is not done in time begins anew, on a busy machine again and again.
        Map<String, Object> conf = new HashMap<>(
                Map.of(Config.TOPOLOGY_MAX_SPOUT_PENDING, 1000, Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS, 300));
        conf.putAll(topology.conf(shape));
        try (UpdraftCluster cluster =
                new UpdraftCluster.Builder().withDrainLimit(Duration.ZERO).build()) {
            cluster.submitTopology("hosted", conf, topology.build(shape, id));
            Await.until("all messages are delivered", () -> topology.delivered(shape, run) >= messages);
            run.stopSpouts();
            Await.until(
                    "no message is missing", () -> topology.missing(shape, run).isEmpty());
            assertThat(topology.wrong(shape, run)).isEmpty();
        }
        return run;
    }
}
