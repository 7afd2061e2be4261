package io.updraft.plugin;

import static io.updraft.plugin.RecordedRun.NAME;
import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.stormcluster.StormCluster;
import io.updraft.stormcluster.StormWorkerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.storm.generated.RebalanceOptions;
import org.junit.jupiter.api.AutoClose;
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
    @TempDir
    private Path directory;

    @AutoClose
    private RecordedRun run;

    private StormCluster cluster;

    @BeforeEach
    void start() throws IOException {
        run = new RecordedRun(directory);
        cluster = run.cluster();
    }

    @Test
    @Tag("slow")
    void shouldSurviveTheEndOfAWorker() {
        run.begin();
        long before = System.currentTimeMillis();
        StormWorkerProcess victim = run.workerOf("done");
        victim.kill();
        run.awaitMore("messages to be acked after kill -9 of a worker");
        run.report("kill -9 of a worker", before);
        assertThat(run.pids()).hasSize(2).doesNotContain(victim.process().pid());
    }

    @Test
    @Tag("long")
    void shouldLiveOnWithoutTheSupervisorAndBeTakenBack() {
        run.begin();
        Set<Long> workers = run.pids();
        long before = System.currentTimeMillis();
        cluster.killDaemon("supervisor-1");
        run.awaitMore("messages to be acked without a Supervisor");
        cluster.startDaemon("supervisor-1");
        run.awaitMore("messages to be acked with the Supervisor again");
        run.report("kill -9 of a Supervisor", before);
        assertThat(run.pids()).as("the same workers").isEqualTo(workers);
        cluster.kill(NAME); // fails where the Supervisor does not know its worker any more
    }

    @Test
    @Tag("long")
    void shouldLiveOnWithoutNimbus() {
        run.begin();
        Set<Long> workers = run.pids();
        long before = System.currentTimeMillis();
        cluster.killDaemon("nimbus");
        run.awaitMore("messages to be acked without Nimbus");
        cluster.startDaemon("nimbus");
        run.await(
                "Nimbus to know the topology",
                () -> cluster.topology(NAME)
                        .filter(info ->
                                info.get_executors().stream().allMatch(executor -> executor.get_uptime_secs() > 0))
                        .isPresent());
        run.awaitMore("messages to be acked with Nimbus again");
        run.report("kill -9 of Nimbus", before);
        assertThat(run.pids()).as("the same workers").isEqualTo(workers);
    }

    @Test
    @Tag("long")
    void shouldLiveOnWithoutZooKeeper() throws InterruptedException {
        run.begin();
        Set<Long> workers = run.pids();
        long before = System.currentTimeMillis();
        cluster.killDaemon("zookeeper");
        Thread.sleep(30_000); // the fault itself
        run.awaitMore("messages to be acked without ZooKeeper");
        cluster.startDaemon("zookeeper");
        run.await("Nimbus to answer again", () -> {
            cluster.startEndedDaemons();
            return cluster.topology(NAME).isPresent();
        });
        run.awaitMore("messages to be acked with ZooKeeper again");
        run.report("ZooKeeper away for 30 s", before);
        assertThat(run.pids()).as("the same workers").isEqualTo(workers);
    }

    @Test
    @Tag("long")
    void shouldBearAWorkerThatIsStopped() throws InterruptedException {
        run.begin();
        Set<Long> workers = run.pids();
        long before = System.currentTimeMillis();
        StormWorkerProcess worker = run.workerOf("done");
        worker.pause();
        Thread.sleep(15_000); // the fault itself
        worker.resume();
        run.awaitMore("messages to be acked after SIGSTOP");
        run.report("SIGSTOP of a worker for 15 s", before);
        assertThat(run.pids()).as("the same workers").isEqualTo(workers);
    }

    @Test
    @Tag("long")
    void shouldMoveTheWorkOfANodeThatIsLost() {
        run.begin();
        long before = System.currentTimeMillis();
        cluster.killNode("supervisor-2");
        run.await(
                "the work to move",
                () -> cluster.workers(NAME).size() == 2
                        && cluster.workers(NAME).stream()
                                .allMatch(
                                        worker -> cluster.slots("supervisor-1").contains(worker.port())));
        run.awaitMore("messages to be acked after the loss of a node");
        run.report("loss of a node", before);
        cluster.startDaemon("supervisor-2");
        run.awaitMore("messages to be acked with the node again");
    }

    @Test
    @Tag("long")
    void shouldSurviveTheEndOfASupervisorAndItsWorker() {
        run.begin();
        long before = System.currentTimeMillis();
        StormWorkerProcess victim = run.workerOf("done");
        String supervisor = cluster.slots("supervisor-1").contains(victim.port()) ? "supervisor-1" : "supervisor-2";
        cluster.killDaemon(supervisor);
        victim.kill();
        cluster.startDaemon(supervisor);
        run.awaitMore("messages to be acked after kill -9 of a Supervisor and its worker");
        run.report("kill -9 of a Supervisor and its worker", before);
        assertThat(run.pids()).hasSize(2).doesNotContain(victim.process().pid());
    }

    @Test
    @Tag("long")
    void shouldBeRebalancedUnderLoad() {
        run.begin();
        for (int workers : new int[] {4, 1}) {
            long before = System.currentTimeMillis();
            RebalanceOptions options = new RebalanceOptions();
            options.set_num_workers(workers);
            options.set_wait_secs(2);
            cluster.rebalance(NAME, options);
            run.await(workers + " workers", () -> cluster.workers(NAME).size() == workers);
            run.awaitMore("messages to be acked by " + workers + " workers");
            run.report("rebalance to " + workers + " workers", before);
            assertThat(run.pids()).hasSize(workers);
        }
    }

    @Test
    @Tag("long")
    void shouldLeaveNothingOfTenTopologies() throws IOException {
        for (int i = 0; i < 10; i++) {
            String name = NAME + "-" + i;
            Path notes = Files.createDirectory(directory.resolve(name));
            ProcessedNumbers own = new ProcessedNumbers(notes);
            run.submit(name, notes);
            run.await("messages of " + name + " to be acked", () -> {
                own.read();
                return own.isComplete(100);
            });
            assertThat(cluster.workers(name)).hasSize(2);
            run.killTopology(name);
        }
        run.awaitNothingLeft();
    }

    /** As after a rebalance or a kill, when the worker of an old assignment still starts. */
    @Test
    @Tag("long")
    void shouldEndInOneLineWhereNoExecutorIsAssigned() throws Exception {
        run.begin();
        StormWorkerProcess worker = run.workerOf("done");
        List<Integer> slots = new ArrayList<>(cluster.slots("supervisor-1"));
        slots.addAll(cluster.slots("supervisor-2"));
        int free = slots.stream()
                .filter(port -> cluster.workers(NAME).stream().noneMatch(used -> used.port() == port))
                .findFirst()
                .orElseThrow();
        Process unassigned = worker.startWithPort(free);
        run.await("the worker to end", () -> !unassigned.isAlive());
        assertThat(run.workerLog(free))
                .contains("the worker ends: no executor is assigned to port " + free)
                .doesNotContain("ERROR", "Exception");
        assertThat(cluster.topology(NAME).orElseThrow().get_errors().values())
                .as("errors in Nimbus")
                .allMatch(List::isEmpty);
    }
}
