package io.updraft.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.base.json.Json;
import io.updraft.bench.spec.RunResult;
import io.updraft.bench.spec.RunSpec;
import io.updraft.bench.spec.Shape;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.imageio.ImageIO;
import org.apache.storm.Config;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real runs of a second or less in two worker processes. */
@Tag("long")
class WorkersRunTest {

    private static final long SECOND = 1000;

    /** How long a peer may be silent: on a busy machine that is longer than usual. */
    private static final String PATIENT = "updraft.transport.silence.ms";

    /** Processes live for seconds. */
    private static final List<String> QUICK_START = List.of("-XX:TieredStopAtLevel=1");

    private final Set<ProcessHandle> seen = new HashSet<>();

    @TempDir
    private Path directory;

    @AfterEach
    void shouldLeaveNoProcessBehind() {
        assertThat(seen).noneMatch(ProcessHandle::isAlive);
    }

    @Test
    void shouldAccountForEveryMessageAndDrawThem() throws Exception {
        shouldAccountForEveryMessageOf(1, "10");
    }

    /** The harness stays, its workers are new for each size. */
    @Test
    void shouldAccountForEveryMessageOfEverySize() throws Exception {
        shouldAccountForEveryMessageOf(2, "10,1k");
    }

    private void shouldAccountForEveryMessageOf(int sizes, String messageSize) throws Exception {
        Path plot = directory.resolve("figure.png");
        List<Map<String, Object>> series = bench(1, messageSize, plot);
        if (series.stream().anyMatch(one -> number(list(one.get("runs")).get(0), "latencyNanos", "count") == 0)) {
            // On a busy machine nothing may come through in a second.
            series = bench(20, messageSize, plot);
        }
        assertThat(series).hasSize(sizes).allSatisfy(one -> {
            Map<String, Object> run = list(one.get("runs")).get(0);
            assertThat(one).containsEntry("transport", "netty").containsEntry("valid", true);
            assertThat(total(run, "acked")).isPositive();
            assertThat(total(run, "acked") + total(run, "failed")).isEqualTo(total(run, "emitted"));
            // One spout and one bolt in two workers: every tuple crosses.
            assertThat(total(run, "crossed")).isEqualTo(total(run, "emitted"));
            assertThat(number(run, "usage", "cpuNanos")).isPositive();
            assertThat(number(run, "latencyNanos", "p50")).isPositive();
        });
        assertThat(ImageIO.read(plot.toFile()).getHeight()).isPositive();
    }

    private static List<Map<String, Object>> bench(int seconds, String messageSize, Path plot) {
        StringWriter out = new StringWriter();
        int status = BenchCommand.commandLine()
                .setOut(new PrintWriter(out))
                .execute(("--workers 2 --ack --maxSpoutPending 100 --testTime " + seconds + " --warmup 0 --runs 1"
                                + " --transport netty --format json"
                                + " -c topology.worker.childopts=-XX:TieredStopAtLevel=1 -c " + PATIENT
                                + "=60000 --messageSize " + messageSize + " --plot " + plot)
                        .split(" "));
        assertThat(status).as(out.toString()).isZero();
        return list(Json.readObject(out.toString()).get("series"));
    }

    @Test
    void shouldCountTheSameWordsAsInOneProcess() throws Exception {
        RunResult result = run(new Shape("wordcount", 1, 2, 1, 10, true, 0), SECOND, () -> {});

        assertThat(seen).hasSize(2);
        assertThat(result.problems()).isEmpty();
        assertThat(result.total().acked()).isPositive();
        assertThat(result.total().crossed())
                .isPositive()
                .isLessThan(result.total().transferred());
    }

    @Test
    void shouldCallARunInvalidWhoseWorkerDiesAndTellOfItsEnd() throws Exception {
        AtomicBoolean killed = new AtomicBoolean();
        RunResult result = run(new Shape("sol", 1, 1, 1, 10, true, 0), 600 * SECOND, () -> {
            if (!killed.getAndSet(true)) {
                seen.iterator().next().destroyForcibly();
            }
        });

        assertThat(killed).isTrue();
        assertThat(result.valid()).isFalse();
        assertThat(result.underWay()).isTrue();
        assertThat(String.join("\n", result.problems())).contains("was lost during the run", "SIGKILL");
    }

    @Test
    void shouldSayWhyWorkersCannotStart() throws Exception {
        try (HarnessJvm child = new HarnessJvm(BenchClassPaths.updraft(), "64m", QUICK_START)) {
            RunResult result = child.run(
                    spec(new Shape("sol", 1, 1, 1, 10, true, 0), Map.of("updraft.transport.local", "pigeons"), SECOND),
                    row -> {});

            assertThat(result.problems()).singleElement().asString().contains("could not start", "pigeons");
            assertThat(result.underWay()).isFalse();
        }
    }

    /** Runs in a new child; in the measured part, does something, again and again. */
    private RunResult run(Shape shape, long testMillis, Runnable onRunning) throws Exception {
        try (HarnessJvm child = new HarnessJvm(BenchClassPaths.updraft(), "64m", QUICK_START)) {
            return child.run(spec(shape, Map.of(), testMillis), row -> {
                if (row.status().equals("RUNNING")) {
                    seen.addAll(workers());
                    onRunning.run();
                }
            });
        }
    }

    private static RunSpec spec(Shape shape, Map<String, Object> more, long testMillis) {
        Map<String, Object> conf = new HashMap<>(Map.of(
                Config.TOPOLOGY_WORKERS,
                2,
                Config.TOPOLOGY_MAX_SPOUT_PENDING,
                100,
                Config.TOPOLOGY_DISABLE_LOADAWARE_MESSAGING,
                true,
                PATIENT,
                60_000,
                Config.TOPOLOGY_WORKER_CHILDOPTS,
                "-Xmx64m -XX:TieredStopAtLevel=1"));
        conf.putAll(more);
        return new RunSpec(BenchSide.UPDRAFT.workersClass(), shape, conf, 0, testMillis, 50);
    }

    /** The child's children: what a command line is cannot always be told. */
    private static List<ProcessHandle> workers() {
        return ProcessHandle.current()
                .children()
                .flatMap(ProcessHandle::children)
                .toList();
    }

    private static long total(Map<String, Object> run, String count) {
        return number(run, "total", count);
    }

    @SuppressWarnings("unchecked")
    private static long number(Map<String, Object> run, String part, String name) {
        return ((Number) ((Map<String, Object>) run.get(part)).get(name)).longValue();
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> list(Object value) {
        return (List<Map<String, Object>>) value;
    }
}
