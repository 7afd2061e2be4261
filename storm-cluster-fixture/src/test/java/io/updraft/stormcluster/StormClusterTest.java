package io.updraft.stormcluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Stock Storm on the cluster of this module. */
@Tag("long")
final class StormClusterTest {

    private static final Duration LIMIT = Duration.ofMinutes(3);

    @TempDir
    private static Path directory;

    private static StormCluster cluster;
    private static Path jar;

    @BeforeAll
    static void start() {
        jar = Jars.pack(Jars.of(NumbersTopology.class), directory.resolve("numbers.jar"));
        cluster = StormCluster.builder().supervisors(2).slots(2).start();
    }

    @AfterAll
    static void stop() {
        if (cluster != null) {
            cluster.close();
        }
    }

    @Test
    void shouldRunAnAckedTopologyOnTwoSupervisorsAndEndIt() throws Exception {
        Path report = directory.resolve("report");
        cluster.submit(jar, NumbersTopology.class.getName(), "numbers", "10000", report.toString());
        cluster.await("all numbers to be acked", LIMIT, () -> Files.exists(report));
        assertThat(report).hasContent("10000 acked");
        assertThat(cluster.workers("numbers")).hasSize(2);
        assertThat(workerOf("numbers", "numbers")).isNotEqualTo(workerOf("numbers", "sink"));
        List<WorkerProcess> workers = cluster.workers("numbers");
        cluster.kill("numbers");
        assertThat(cluster.workers("numbers")).isEmpty();
        assertThat(workers).noneMatch(worker -> worker.process().isAlive());
    }

    @Test
    void shouldReplaceAWorkerThatIsKilled() {
        // It has nothing to do, and runs on.
        cluster.submit(
                jar,
                NumbersTopology.class.getName(),
                "killed",
                "1",
                directory.resolve("one").toString());
        WorkerProcess first = workerOf("killed", "sink");
        first.kill();
        cluster.await(
                "another worker of the bolt",
                LIMIT,
                () -> cluster.workerOf("killed", "sink")
                        .filter(worker -> !worker.id().equals(first.id()))
                        .isPresent());
        cluster.kill("killed");
    }

    /** Workers report once a second, and Nimbus may not answer just now. */
    private static WorkerProcess workerOf(String topology, String component) {
        List<WorkerProcess> found = new ArrayList<>();
        cluster.await("a report of the worker of " + component, LIMIT, () -> {
            cluster.workerOf(topology, component).ifPresent(found::add);
            return !found.isEmpty();
        });
        return found.get(0);
    }
}
