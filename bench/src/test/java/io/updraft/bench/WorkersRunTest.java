package io.updraft.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.bench.spec.Json;
import io.updraft.bench.spec.RunResult;
import io.updraft.bench.spec.RunSpec;
import io.updraft.bench.spec.Shape;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.imageio.ImageIO;
import org.apache.storm.Config;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real runs of a second or less in two worker processes. */
class WorkersRunTest {

    private static final String WORKER = "io.updraft.cluster.local.WorkerMain";

    @TempDir
    private Path directory;

    @AfterEach
    void shouldLeaveNoProcessBehind() {
        assertThat(workers()).isEmpty();
    }

    @Test
    void shouldAccountForEveryMessageAndDrawThem() throws Exception {
        Path plot = directory.resolve("figure.png");
        StringWriter out = new StringWriter();
        int status = BenchCommand.commandLine()
                .setOut(new PrintWriter(out))
                .execute(("--workers 2 --ack --maxSpoutPending 100 --messageSize 10,100 --testTime 1 --warmup 0 "
                                + "--runs 1 --heap 64m --transport netty --format json --plot " + plot)
                        .split(" "));

        assertThat(status).as(out.toString()).isZero();
        List<Map<String, Object>> series = list(Json.readObject(out.toString()).get("series"));
        assertThat(series).hasSize(2).allSatisfy(one -> {
            Map<String, Object> run = list(one.get("runs")).get(0);
            assertThat(one).containsEntry("transport", "netty").containsEntry("valid", true);
            assertThat(total(run, "emitted")).isPositive().isEqualTo(total(run, "acked"));
            // One spout and one bolt in two workers: every tuple crosses.
            assertThat(total(run, "crossed")).isEqualTo(total(run, "transferred"));
            assertThat(number(run, "usage", "cpuNanos")).isPositive();
            assertThat(number(run, "latencyNanos", "p50")).isPositive();
        });
        assertThat(ImageIO.read(plot.toFile()).getHeight()).isPositive();
    }

    @Test
    void shouldCountTheSameWordsAsInOneProcess() throws Exception {
        RunResult result = run(new Shape("wordcount", 1, 2, 1, 10, true, 0), () -> {});

        assertThat(result.problems()).isEmpty();
        assertThat(result.total().acked()).isPositive().isEqualTo(result.total().emitted());
        assertThat(result.total().crossed())
                .isPositive()
                .isLessThan(result.total().transferred());
    }

    @Test
    void shouldCallARunInvalidWhoseWorkerDiesAndTellOfItsEnd() throws Exception {
        AtomicBoolean killed = new AtomicBoolean();
        RunResult result = run(new Shape("sol", 1, 1, 1, 10, true, 0), () -> {
            if (!killed.getAndSet(true)) {
                workers().get(0).destroyForcibly();
            }
        });

        assertThat(killed).isTrue();
        assertThat(result.valid()).isFalse();
        assertThat(String.join("\n", result.problems())).contains("was lost during the run", "SIGKILL");
    }

    @Test
    void shouldSayWhyWorkersCannotStart() throws Exception {
        try (ChildJvm child = new ChildJvm(ClassPaths.updraft(), "64m", directory)) {
            RunResult result = child.run(
                    spec(new Shape("sol", 1, 1, 1, 10, true, 0), Map.of("updraft.transport.local", "pigeons")),
                    row -> {});

            assertThat(result.problems()).singleElement().asString().contains("could not start", "pigeons");
        }
    }

    /** Runs in a new child; once the measured part has begun, does something. */
    private RunResult run(Shape shape, Runnable onRunning) throws Exception {
        try (ChildJvm child = new ChildJvm(ClassPaths.updraft(), "64m", directory)) {
            return child.run(spec(shape, Map.of()), row -> {
                if (row.status().equals("RUNNING")) {
                    onRunning.run();
                }
            });
        }
    }

    private static RunSpec spec(Shape shape, Map<String, Object> more) {
        Map<String, Object> conf = new HashMap<>(Map.of(
                Config.TOPOLOGY_WORKERS,
                2,
                Config.TOPOLOGY_MAX_SPOUT_PENDING,
                100,
                Config.TOPOLOGY_DISABLE_LOADAWARE_MESSAGING,
                true,
                Config.TOPOLOGY_WORKER_CHILDOPTS,
                "-Xmx64m -XX:TieredStopAtLevel=1"));
        conf.putAll(more);
        return new RunSpec(Side.UPDRAFT.workersClass(), shape, conf, 0, 500, 50);
    }

    private static List<ProcessHandle> workers() {
        return ProcessHandle.current()
                .descendants()
                .filter(process -> process.info().commandLine().orElse("").contains(WORKER))
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
