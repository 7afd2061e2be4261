package io.updraft.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.bench.spec.ProgressRow;
import io.updraft.bench.spec.RunResult;
import io.updraft.bench.spec.RunSpec;
import io.updraft.bench.spec.Shape;
import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.storm.Config;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Real runs of one second on Storm's LocalCluster; needs bench/storm-runtime to have been built. */
@Tag("long")
class StormRunTest {

    /** Children live for seconds. */
    private static final List<String> QUICK_START = List.of("-XX:TieredStopAtLevel=1");

    private final List<ProgressRow> rows = new ArrayList<>();

    @Test
    void shouldFindAllMessagesOfSpeedOfLight() throws Exception {
        RunResult result = run(new Shape("sol", 1, 2, 2, 10, true, 0));

        assertThat(result.problems()).isEmpty();
        assertThat(result.messagesPerSecond()).isPositive();
        assertThat(result.total().acked()).isEqualTo(result.total().emitted());
        assertThat(result.latency().count()).isPositive();
        assertThat(result.usage().cpuNanos()).isPositive();
        assertThat(rows).extracting(ProgressRow::status).contains("RUNNING");
    }

    @Test
    void shouldFindAllWordsOfTheWordCount() throws Exception {
        RunResult result = run(new Shape("wordcount", 1, 4, 1, 10, true, 0));

        assertThat(result.problems()).isEmpty();
        assertThat(result.counts().completed()).isPositive();
    }

    @Test
    void shouldFindAllWindowsAndAllOfTridentsWords() throws Exception {
        RunResult sums = run(new Shape("windowsum", 1, 1, 1, 10, true, 0));
        RunResult keyed = run(new Shape("windowsum", 1, 4, 1, 10, true, 0));
        RunResult words = run(new Shape("tridentwords", 1, 2, 1, 10, true, 0));

        assertThat(sums.problems()).isEmpty();
        assertThat(keyed.problems()).isEmpty();
        assertThat(words.problems()).isEmpty();
        assertThat(words.total().completed()).isPositive();
    }

    @Test
    void shouldCallALossyRunInvalid() throws Exception {
        // Whatever it runs on: Updraft is the one that starts faster.
        RunResult result = run(
                BenchSide.UPDRAFT,
                BenchClassPaths.updraft(),
                new Shape(LossyTopology.class.getName(), 1, 1, 1, 10, false, 0));

        assertThat(result.valid()).isFalse();
        assertThat(result.problems()).singleElement().asString().contains("emitted", "received");
    }

    @Test
    void shouldTellHowAChildDied() throws Exception {
        RunResult result = run(new Shape("no.such.Topology", 1, 1, 1, 10, false, 0));

        assertThat(result.valid()).isFalse();
        assertThat(result.problems()).singleElement().asString().contains("ended with status 1", "no.such.Topology");
    }

    private RunResult run(Shape shape) throws Exception {
        return run(BenchSide.STORM, BenchClassPaths.storm() + File.pathSeparator + testClasses(), shape);
    }

    private RunResult run(BenchSide side, String classPath, Shape shape) throws Exception {
        // Trident's batches are large: one that is not done in time begins anew, on a busy machine again and again.
        Map<String, Object> conf = Map.of(
                Config.TOPOLOGY_ACKER_EXECUTORS,
                shape.acked() ? 1 : 0,
                Config.TOPOLOGY_MAX_SPOUT_PENDING,
                1000,
                Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS,
                300);
        RunResult result = run(side, classPath, shape, conf, 1000);
        boolean nothing = result.counts().completed() == 0
                || shape.acked() && result.latency().count() == 0;
        // On a busy machine nothing may come through in a second.
        return result.valid() && nothing ? run(side, classPath, shape, conf, 20_000) : result;
    }

    private RunResult run(BenchSide side, String classPath, Shape shape, Map<String, Object> conf, long testMillis)
            throws Exception {
        try (HarnessJvm child = new HarnessJvm(classPath, "512m", QUICK_START)) {
            return child.run(new RunSpec(side.localClass(), shape, conf, 500, testMillis, 200), rows::add);
        }
    }

    private static Path testClasses() throws URISyntaxException {
        return Path.of(LossyTopology.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
    }
}
