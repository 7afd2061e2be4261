package io.updraft.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.stormcluster.Jars;
import io.updraft.stormcluster.StormCluster;
import io.updraft.stormcluster.StormWorkerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.storm.Config;

/**
 * A cluster of two nodes for faults, and {@link NumberRecordingTopology} on it. {@code -Dupdraft.faults.stock=true} runs the
 * topology in Storm's workers, for comparison.
 */
final class RecordedRun implements AutoCloseable {
    static final String NAME = "ledger";
    static final boolean STOCK = Boolean.getBoolean("updraft.faults.stock");

    private static final Duration LIMIT = Duration.ofMinutes(4);

    /** The paths of ZooKeeper that have an entry for each topology. */
    private static final List<String> PATHS =
            List.of("/assignments", "/storms", "/workerbeats", "/errors", "/credentials", "/logconfigs");

    /** So many messages more must be acked after a fault: some seconds' worth. */
    private static final int MORE = 2_000;

    private final Path directory;
    private final StormCluster cluster;
    private final ProcessedNumbers numbers;

    /** Starts the cluster. {@code directory} is an empty directory. */
    RecordedRun(Path directory) throws IOException {
        this.directory = directory;
        numbers = new ProcessedNumbers(Files.createDirectory(directory.resolve("notes")));
        cluster = PluginClusters.builder()
                .slots(4)
                .config("nimbus.supervisor.timeout.secs", 15)
                .config("nimbus.task.timeout.secs", 15)
                .config("nimbus.task.launch.secs", 15)
                .config(Config.STORM_ZOOKEEPER_SESSION_TIMEOUT, 20_000) // as Storm has it
                // Nimbus gives no work to a Supervisor that it has lost three times, for half an hour.
                .config("blacklist.scheduler.tolerance.count", 10_000)
                .config("nimbus.topology.blobstore.deletion.delay.ms", 1_000)
                .start();
    }

    @Override
    public void close() {
        cluster.close();
    }

    StormCluster cluster() {
        return cluster;
    }

    ProcessedNumbers numbers() {
        return numbers;
    }

    void submit(String name, Path notes) {
        cluster.submit(
                Jars.pack(Jars.of(NumberRecordingTopology.class), directory.resolve("ledger.jar")),
                NumberRecordingTopology.class.getName(),
                Map.of(UpdraftKeys.ENABLED, !STOCK),
                name,
                notes.toString(),
                "2");
    }

    /** Runs the topology in two workers, one on each node. */
    void begin() {
        submit(NAME, directory.resolve("notes"));
        awaitMore("messages to be acked");
        assertThat(cluster.workers(NAME)).hasSize(2).allMatch(worker -> worker.isStock() == STOCK);
    }

    void await(String expectation, BooleanSupplier condition) {
        cluster.await(expectation, LIMIT, condition);
    }

    /** Waits until many more are acked than there are now, and none before them is missing. */
    void awaitMore(String expectation) {
        numbers.read();
        int enough = numbers.acked().length() + MORE;
        await(expectation, () -> {
            numbers.read();
            return numbers.isComplete(enough);
        });
        numbers.read();
        assertThat(numbers.lies()).as("acked, but not processed").matches(lies -> lies.isEmpty());
    }

    /** Adds to {@code target/faults.txt} what a green test would not show. */
    void report(String fault, long sinceMillis) {
        numbers.read();
        report(fault + ": longest time without an ack " + numbers.longestSilence(sinceMillis) + " ms");
    }

    void report(String result) {
        WorkerRecords.note("target", "faults.txt", (STOCK ? "stock" : "updraft") + ": " + result);
    }

    Set<Long> pids() {
        return cluster.workers(NAME).stream()
                .map(worker -> worker.process().pid())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    StormWorkerProcess workerOf(String component) {
        await(
                "a worker of " + component,
                () -> cluster.workerOf(NAME, component).isPresent());
        return cluster.workerOf(NAME, component).orElseThrow();
    }

    /** Returns the log of the worker on a port; empty if there is none. */
    String workerLog(int port) {
        Path logs = cluster.home().resolve("logs/workers-artifacts");
        try (Stream<Path> files = Files.walk(logs)) {
            Path log = files.filter(file -> file.endsWith(port + "/worker.log"))
                    .findFirst()
                    .orElse(null);
            return log == null ? "" : Files.readString(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Kills a topology, and waits until its ports are free. */
    void killTopology(String name) {
        Set<Integer> ports =
                cluster.workers(name).stream().map(StormWorkerProcess::port).collect(Collectors.toSet());
        cluster.kill(name);
        ports.forEach(RecordedRun::assertFree);
    }

    private static void assertFree(int port) {
        try (ServerSocket socket = new ServerSocket(port)) {
            assertThat(socket.isBound()).isTrue();
        } catch (IOException e) {
            throw new AssertionError("port " + port + " is still taken", e);
        }
    }

    /** Waits until only the processes of daemons are left, and no znode, directory or shared memory of a topology. */
    void awaitNothingLeft() {
        for (String path : PATHS) {
            await(path + " in ZooKeeper to be empty", () -> cluster.znodes(path).isEmpty());
        }
        await("no process to be left", () -> cluster.workerProcesses().isEmpty());
        for (int i = 1; i <= 2; i++) {
            Path local = cluster.home().resolve("local/supervisor-" + i);
            await(
                    "no directory to be left in " + local,
                    () -> namesIn(local.resolve("workers")).isEmpty()
                            && namesIn(local.resolve("supervisor/stormdist")).isEmpty());
        }
        assertThat(namesIn(Path.of("/dev/shm"))).noneMatch(name -> name.contains(NAME));
    }

    private static List<String> namesIn(Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).toList();
        } catch (IOException e) {
            return List.of();
        }
    }
}
