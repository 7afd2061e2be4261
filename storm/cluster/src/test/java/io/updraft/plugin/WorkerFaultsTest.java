package io.updraft.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.stormcluster.Jars;
import io.updraft.stormcluster.StormCluster;
import io.updraft.stormcluster.StormWorkerProcess;
import java.io.IOException;
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
import org.apache.storm.generated.RebalanceOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Common faults of a cluster, while our workers run a topology with a replayable source. Every message is acked in the end, and
 * no message is acked without having been processed. Each test prints how long there was no ack.
 * {@code -Dupdraft.faults.stock=true} runs the tests in Storm's workers, for comparison.
 */
final class WorkerFaultsTest {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final boolean STOCK = Boolean.getBoolean("updraft.faults.stock");
    private static final String NAME = "ledger";

    /** So many messages more must be acked after a fault: some seconds' worth. */
    private static final int MORE = 2_000;

    @TempDir
    private Path directory;

    private StormCluster cluster;
    private ProcessedNumbers ledger;

    @BeforeEach
    void start() throws IOException {
        cluster = PluginClusters.builder()
                .slots(4)
                .config("nimbus.supervisor.timeout.secs", 15)
                .config("nimbus.task.timeout.secs", 15)
                .config("nimbus.task.launch.secs", 15)
                .config(Config.STORM_ZOOKEEPER_SESSION_TIMEOUT, 20_000) // as Storm has it
                .config("nimbus.topology.blobstore.deletion.delay.ms", 1_000)
                .start();
        ledger = new ProcessedNumbers(Files.createDirectory(directory.resolve("notes")));
    }

    @AfterEach
    void stop() {
        if (cluster != null) {
            cluster.close();
        }
    }

    private Path jar() {
        return Jars.pack(Jars.of(NumberRecordingTopology.class), directory.resolve("ledger.jar"));
    }

    private void submit(String name, Path notes, int workers) {
        cluster.submit(
                jar(),
                NumberRecordingTopology.class.getName(),
                Map.of(UpdraftKeys.ENABLED, !STOCK),
                name,
                notes.toString(),
                Integer.toString(workers));
    }

    /** Runs the topology in two workers, one on each node. */
    private void runLedger() {
        submit(NAME, directory.resolve("notes"), 2);
        awaitMore("messages to be acked");
        assertThat(cluster.workers(NAME)).hasSize(2).allMatch(worker -> worker.isStock() == STOCK);
    }

    private void await(String what, BooleanSupplier condition) {
        cluster.await(what, LIMIT, condition);
    }

    /** Waits until many more are acked than there are now, and none before them is missing. */
    private void awaitMore(String what) {
        ledger.read();
        int enough = ledger.acked().length() + MORE;
        await(what, () -> {
            ledger.read();
            return ledger.isComplete(enough);
        });
        ledger.read();
        assertThat(ledger.lies()).as("acked, but not processed").matches(lies -> lies.isEmpty());
    }

    /** Adds to {@code target/faults.txt} what a green test would not show. */
    private void report(String fault, long sinceMillis) {
        ledger.read();
        WorkerRecords.note(
                "target",
                "faults.txt",
                (STOCK ? "stock" : "updraft") + ": " + fault + ": longest time without an ack "
                        + ledger.longestSilence(sinceMillis) + " ms");
    }

    private Set<Long> pids() {
        return cluster.workers(NAME).stream()
                .map(worker -> worker.process().pid())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private StormWorkerProcess workerOf(String component) {
        await(
                "a worker of " + component,
                () -> cluster.workerOf(NAME, component).isPresent());
        return cluster.workerOf(NAME, component).orElseThrow();
    }

    @Test
    @Tag("slow")
    void shouldSurviveTheEndOfAWorker() {
        runLedger();
        long before = System.currentTimeMillis();
        StormWorkerProcess victim = workerOf("done");
        victim.kill();
        awaitMore("messages to be acked after kill -9 of a worker");
        report("kill -9 of a worker", before);
        assertThat(pids()).hasSize(2).doesNotContain(victim.process().pid());
    }

    @Test
    @Tag("long")
    void shouldLiveOnWithoutTheSupervisorAndBeTakenBack() {
        runLedger();
        Set<Long> workers = pids();
        long before = System.currentTimeMillis();
        cluster.killDaemon("supervisor-1");
        awaitMore("messages to be acked without a Supervisor");
        cluster.startDaemon("supervisor-1");
        awaitMore("messages to be acked with the Supervisor again");
        report("kill -9 of a Supervisor", before);
        assertThat(pids()).as("the same workers").isEqualTo(workers);
        cluster.kill(NAME); // fails where the Supervisor does not know its worker any more
    }

    @Test
    @Tag("long")
    void shouldLiveOnWithoutNimbus() {
        runLedger();
        Set<Long> workers = pids();
        long before = System.currentTimeMillis();
        cluster.killDaemon("nimbus");
        awaitMore("messages to be acked without Nimbus");
        cluster.startDaemon("nimbus");
        await(
                "Nimbus to know the topology",
                () -> cluster.topology(NAME)
                        .filter(info ->
                                info.get_executors().stream().allMatch(executor -> executor.get_uptime_secs() > 0))
                        .isPresent());
        awaitMore("messages to be acked with Nimbus again");
        report("kill -9 of Nimbus", before);
        assertThat(pids()).as("the same workers").isEqualTo(workers);
    }

    @Test
    @Tag("long")
    void shouldLiveOnWithoutZooKeeper() throws InterruptedException {
        runLedger();
        Set<Long> workers = pids();
        long before = System.currentTimeMillis();
        cluster.killDaemon("zookeeper");
        Thread.sleep(30_000); // the fault itself
        awaitMore("messages to be acked without ZooKeeper");
        cluster.startDaemon("zookeeper");
        await("Nimbus to answer again", () -> {
            cluster.startEndedDaemons();
            return cluster.topology(NAME).isPresent();
        });
        awaitMore("messages to be acked with ZooKeeper again");
        report("ZooKeeper away for 30 s", before);
        assertThat(pids()).as("the same workers").isEqualTo(workers);
    }

    @Test
    @Tag("long")
    void shouldBearAWorkerThatIsStopped() throws InterruptedException {
        runLedger();
        Set<Long> workers = pids();
        long before = System.currentTimeMillis();
        StormWorkerProcess worker = workerOf("done");
        worker.pause();
        Thread.sleep(10_000); // the fault itself
        worker.resume();
        awaitMore("messages to be acked after SIGSTOP");
        report("SIGSTOP of a worker for 10 s", before);
        assertThat(pids()).as("the same workers").isEqualTo(workers);
    }

    @Test
    @Tag("long")
    void shouldMoveTheWorkOfANodeThatIsLost() {
        runLedger();
        long before = System.currentTimeMillis();
        cluster.killNode("supervisor-2");
        await(
                "the work to move",
                () -> cluster.workers(NAME).size() == 2
                        && cluster.workers(NAME).stream()
                                .allMatch(
                                        worker -> cluster.slots("supervisor-1").contains(worker.port())));
        awaitMore("messages to be acked after the loss of a node");
        report("loss of a node", before);
        cluster.startDaemon("supervisor-2");
        awaitMore("messages to be acked with the node again");
    }

    @Test
    @Tag("long")
    void shouldBeRebalancedUnderLoad() {
        runLedger();
        for (int workers : new int[] {4, 1}) {
            long before = System.currentTimeMillis();
            RebalanceOptions options = new RebalanceOptions();
            options.set_num_workers(workers);
            options.set_wait_secs(2);
            cluster.rebalance(NAME, options);
            await(workers + " workers", () -> cluster.workers(NAME).size() == workers);
            awaitMore("messages to be acked by " + workers + " workers");
            report("rebalance to " + workers + " workers", before);
            assertThat(pids()).hasSize(workers);
        }
    }

    @Test
    @Tag("long")
    void shouldLeaveNothingOfTenTopologies() throws IOException {
        Set<Long> daemons = processes();
        for (int i = 0; i < 10; i++) {
            String name = NAME + "-" + i;
            Path notes = Files.createDirectory(directory.resolve(name));
            ProcessedNumbers own = new ProcessedNumbers(notes);
            submit(name, notes, 2);
            await("messages of " + name + " to be acked", () -> {
                own.read();
                return own.isComplete(100);
            });
            Set<Integer> ports =
                    cluster.workers(name).stream().map(StormWorkerProcess::port).collect(Collectors.toSet());
            assertThat(ports).hasSize(2);
            cluster.kill(name);
            ports.forEach(WorkerFaultsTest::assertFree);
        }
        for (String path :
                List.of("/assignments", "/storms", "/workerbeats", "/errors", "/credentials", "/logconfigs")) {
            await(path + " in ZooKeeper to be empty", () -> cluster.znodes(path).isEmpty());
        }
        await("no process to be left", () -> processes().equals(daemons));
        for (int i = 1; i <= 2; i++) {
            Path local = cluster.home().resolve("local/supervisor-" + i);
            await(
                    "no directory to be left in " + local,
                    () -> namesIn(local.resolve("workers")).isEmpty()
                            && namesIn(local.resolve("supervisor/stormdist")).isEmpty());
        }
        assertThat(namesIn(Path.of("/dev/shm"))).noneMatch(name -> name.contains(NAME));
    }

    private Set<Long> processes() {
        return cluster.processes().stream().map(ProcessHandle::pid).collect(Collectors.toSet());
    }

    private static void assertFree(int port) {
        try (java.net.ServerSocket socket = new java.net.ServerSocket(port)) {
            assertThat(socket.isBound()).isTrue();
        } catch (IOException e) {
            throw new AssertionError("port " + port + " is still taken", e);
        }
    }

    private static List<String> namesIn(Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).toList();
        } catch (IOException e) {
            return List.of();
        }
    }
}
