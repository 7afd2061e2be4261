package io.updraft.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.stormcluster.Jars;
import io.updraft.stormcluster.StormCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.storm.generated.ErrorInfo;
import org.apache.storm.generated.GetInfoOptions;
import org.apache.storm.generated.NumErrorsChoice;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Components that break the rules: the failure is reported to Nimbus, and the topology goes on. */
@Tag("long")
final class HostileTopologyTest {
    private static final Duration LIMIT = Duration.ofMinutes(1);

    @TempDir
    private static Path directory;

    @AutoClose
    private static StormCluster cluster;

    @BeforeAll
    static void start() {
        cluster = PluginClusters.builder().start();
    }

    private static Path run(String deed) throws IOException {
        Path notes = Files.createDirectory(directory.resolve(deed));
        cluster.submit(
                Jars.pack(Jars.of(HostileTopologyTest.class), directory.resolve("hostile.jar")),
                HostileTopology.class.getName(),
                Map.of(UpdraftKeys.ENABLED, true),
                deed,
                notes.toString());
        return notes;
    }

    @ParameterizedTest
    @CsvSource({
        "throws, hostile, a component threw this, true",
        "thread, source, a thread threw this, true",
        "exit, hostile, System.exit, false",
        "memory, hostile, OutOfMemoryError, false"
    })
    void shouldTellNimbusAndGoOn(String deed, String component, String error, boolean sameWorker) throws IOException {
        Path notes = run(deed);
        cluster.await(
                "Nimbus to hear of it", LIMIT, () -> errorsOf(deed, component).contains(error));
        WorkerRecords.await(cluster, notes, "sink-");
        long culprit = Long.parseLong(WorkerRecords.read(notes, "done-").get(0));
        cluster.await("two workers", LIMIT, () -> pids(deed).size() == 2);
        assertThat(pids(deed).contains(culprit)).as("the worker lives on").isEqualTo(sameWorker);
        assertThat(WorkerRecords.read(notes, "done-")).hasSize(1);
        cluster.kill(deed);
    }

    @Test
    void shouldCarryAHugeTuple() throws IOException {
        Path notes = run("huge");
        cluster.await(
                "the tuple to arrive",
                LIMIT,
                () -> WorkerRecords.read(notes, "sink-").contains(Integer.toString(HostileTopology.HUGE)));
        cluster.kill("huge");
    }

    @Test
    void shouldEndAlthoughAComponentNeverReturns() throws IOException {
        Path notes = run("sleeps");
        WorkerRecords.await(cluster, notes, "done-");
        cluster.kill("sleeps");
        assertThat(pids("sleeps")).isEmpty();
    }

    private static List<Long> pids(String topology) {
        return cluster.workers(topology).stream()
                .map(worker -> worker.process().pid())
                .toList();
    }

    /** The last error, as Storm's UI shows it: the others go with the worker's session with ZooKeeper. */
    private static String errorsOf(String topology, String component) {
        GetInfoOptions last = new GetInfoOptions();
        last.set_num_err_choice(NumErrorsChoice.ONE);
        return cluster
                .ask(nimbus -> nimbus.getTopologyInfoByNameWithOpts(topology, last))
                .get_errors()
                .getOrDefault(component, List.of())
                .stream()
                .map(ErrorInfo::get_error)
                .collect(Collectors.joining());
    }
}
