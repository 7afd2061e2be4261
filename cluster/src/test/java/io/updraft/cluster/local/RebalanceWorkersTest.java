package io.updraft.cluster.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.base.testing.Await;
import io.updraft.cluster.local.ValueRecords.Page;
import io.updraft.engine.plan.Plan;
import io.updraft.engine.snapshot.EngineSnapshot;
import io.updraft.storm.LocalNimbus;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.apache.storm.Config;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.generated.KillOptions;
import org.apache.storm.generated.LogConfig;
import org.apache.storm.generated.LogLevel;
import org.apache.storm.generated.LogLevelAction;
import org.apache.storm.generated.RebalanceOptions;
import org.apache.storm.thrift.TException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rebalances of one topology in worker processes, one after the other, while its tuples flow. */
@Tag("long")
class RebalanceWorkersTest {
    private static final String NAME = TestWorkers.NAME;

    @TempDir
    Path directory;

    private ValueRecords ledger;

    @AfterEach
    void shouldLeaveNoProcessBehind() {
        assertThat(TestWorkers.processes()).isEmpty();
    }

    @Test
    void shouldChangeWorkersAndExecutorsAndLoseNoMessage() throws Exception {
        ledger = new ValueRecords(directory);
        // What is slow does not fail: only a worker that is killed is to lose something.
        try (TestWorkers cluster = new TestWorkers(directory, 2)
                .with("updraft.transport.silence.ms", 60_000)
                .with(Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS, 300)) {
            cluster.submit(ledger.topology());
            awaitMore();
            refusesWhatCannotBeAndRunsOn(cluster);
            goesBackWhenWorkersDoNotStart(cluster);
            runsInThreeWorkersWithoutRepeatingAMessage(cluster);
            losesNoMessageWhenAWorkerIsKilledMeanwhile(cluster);
            endsWhenItIsKilledMeanwhile(cluster);
        }
    }

    private void refusesWhatCannotBeAndRunsOn(TestWorkers cluster) throws Exception {
        List<Long> pids = cluster.workers().pids();
        assertThatThrownBy(() -> rebalance(cluster, options(0, 2)))
                .isInstanceOf(InvalidTopologyException.class)
                .hasMessageContaining("topology.workers is '0'");
        assertThatThrownBy(() -> rebalance(cluster, executors("mddle", 2)))
                .isInstanceOf(InvalidTopologyException.class)
                .hasMessageContaining("there is no component 'mddle'");
        assertThatThrownBy(() -> rebalance(cluster, conf("{\"topology.tasks\": 7}")))
                .isInstanceOf(InvalidTopologyException.class)
                .hasMessageContaining("topology.tasks cannot change after a topology is submitted");
        // What it has already, and what only says where Nimbus is.
        rebalance(cluster, options(2, 2));
        rebalance(cluster, conf("{\"topology.max.spout.pending\": 500, \"nimbus.seeds\": [\"there\"]}"));
        awaitMore();
        assertThat(cluster.workers().pids()).isEqualTo(pids);
    }

    private void goesBackWhenWorkersDoNotStart(TestWorkers cluster) throws Exception {
        assertThatThrownBy(() -> rebalance(cluster, conf("{\"topology.worker.childopts\": \"-XX:+NoSuchOption\"}")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContainingAll("was not rebalanced", "NoSuchOption", "runs on as before");
        assertThat(status(cluster)).isEqualTo("ACTIVE");
        awaitMore();
        assertThat(cluster.workers().pids()).hasSize(2);
        assertThat(cluster.cluster().getTopologyConf(id(cluster))).doesNotContain("NoSuchOption");
    }

    private void runsInThreeWorkersWithoutRepeatingAMessage(TestWorkers cluster) throws Exception {
        Plan before = cluster.workers().plan();
        switchLogLevel(cluster);
        RebalanceOptions options = options(3, 4);
        options.set_topology_conf_overrides("{\"" + ValueRecords.COLOUR + "\": \"blue\"}");
        EngineSnapshot last = cluster.workers().snapshot();
        rebalance(cluster, options);
        Plan after = cluster.workers().plan();
        assertThat(after.workers()).isEqualTo(3);
        assertThat(after.component("middle").executors()).hasSize(4);
        assertThat(after.component("middle").taskIds())
                .isEqualTo(before.component("middle").taskIds());
        assertThat(cluster.workers().pids()).hasSize(3);
        assertThat(cluster.cluster().getTopologyConf(id(cluster))).contains("\"acme.colour\":\"blue\"");
        assertThat(cluster.workers().snapshot().uptimeNanos()).isGreaterThan(last.uptimeNanos());
        // Two times sinks have come to their end, and all before has been executed by them, once.
        List<Integer> executed = executed(ledger.pages());
        assertThat(executed)
                .containsExactlyElementsOf(
                        IntStream.range(0, executed.size()).boxed().toList());
        awaitMore();
        assertThat(ledger.acked()).doesNotHaveDuplicates();
        assertThat(ledger.acked().subList(0, executed.size())).containsExactlyInAnyOrderElementsOf(executed);
        // What the first workers have counted still counts.
        cluster.awaitAcked(executed.size());
    }

    private void losesNoMessageWhenAWorkerIsKilledMeanwhile(TestWorkers cluster) throws Exception {
        ledger.hold();
        CompletableFuture<Void> rebalanced = begin(cluster, options(2, 2));
        Await.until("it is rebalanced", () -> status(cluster).equals("REBALANCING"));
        assertThatThrownBy(() -> rebalance(cluster, options(1, 2)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("is already being rebalanced");
        assertThat(cluster.cluster().getTopologyInfoByName(NAME).get_status()).isEqualTo("REBALANCING");
        long pid = cluster.pid(1);
        TestWorkers.signal("KILL", pid);
        cluster.awaitTold("worker 1 (pid " + pid + ") was killed by signal 9");
        ledger.letGo();
        rebalanced.get();
        assertThat(cluster.workers().pids()).hasSize(2);
        assertThat(cluster.workers().plan().component("middle").executors()).hasSize(2);
        awaitMore();
        ledger.stop();
        Await.until("every number is acked", ledger::isDone);
        assertThat(ledger.acked().stream().distinct().sorted())
                .containsExactlyElementsOf(
                        IntStream.range(0, ledger.count()).boxed().toList());
    }

    /** Its new workers wait for a debugger, and so are never ready. */
    private void endsWhenItIsKilledMeanwhile(TestWorkers cluster) throws Exception {
        List<Long> pids = cluster.workers().pids();
        String wait = "-agentlib:jdwp=transport=dt_socket,server=y,suspend=y,address=127.0.0.1:0";
        CompletableFuture<Void> rebalanced =
                begin(cluster, conf("{\"" + Config.TOPOLOGY_WORKER_CHILDOPTS + "\": \"" + wait + "\"}"));
        Await.until("new workers are started", () -> isStarted(cluster.workers().pids(), pids));
        assertThat(ledger.pages())
                .filteredOn(page -> page.told().equals("blue true"))
                .isNotEmpty();
        KillOptions atOnce = new KillOptions();
        atOnce.set_wait_secs(0);
        cluster.cluster().killTopologyWithOpts(NAME, atOnce);
        assertThatThrownBy(rebalanced::get)
                .isInstanceOf(ExecutionException.class)
                .hasMessageContaining("was not rebalanced: it is ending");
        assertThat(cluster.cluster().topologyNames()).isEmpty();
    }

    private static boolean isStarted(List<Long> pids, List<Long> before) {
        return pids.size() == 2 && pids.stream().noneMatch(before::contains);
    }

    private void awaitMore() throws Exception {
        int before = ledger.acked().size();
        Await.until("more is acked", () -> ledger.acked().size() > before + 100);
    }

    private static List<Integer> executed(List<Page> pages) {
        List<Integer> all = new ArrayList<>();
        pages.forEach(page -> all.addAll(page.executed()));
        return all.stream().sorted().toList();
    }

    private static CompletableFuture<Void> begin(TestWorkers cluster, RebalanceOptions options) {
        return CompletableFuture.runAsync(() -> {
            try {
                rebalance(cluster, options);
            } catch (TException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    private static void rebalance(TestWorkers cluster, RebalanceOptions options) throws TException {
        cluster.cluster().rebalance(NAME, options);
    }

    private static RebalanceOptions options(int workers, int middles) {
        RebalanceOptions options = executors("middle", middles);
        options.set_num_workers(workers);
        return options;
    }

    private static RebalanceOptions executors(String component, int count) {
        RebalanceOptions options = new RebalanceOptions();
        options.set_num_executors(Map.of(component, count));
        return options;
    }

    private static RebalanceOptions conf(String json) {
        RebalanceOptions options = new RebalanceOptions();
        options.set_topology_conf_overrides(json);
        return options;
    }

    private static void switchLogLevel(TestWorkers cluster) throws Exception {
        LogLevel level = new LogLevel(LogLevelAction.UPDATE);
        level.set_target_log_level("DEBUG");
        LogConfig config = new LogConfig();
        config.put_to_named_logger_level(ValueRecords.LOGGER, level);
        LocalNimbus.of(cluster.cluster()).setLogConfig(id(cluster), config);
    }

    private static String id(TestWorkers cluster) throws Exception {
        return cluster.cluster().getTopologySummaryByName(NAME).get_id();
    }

    private static String status(TestWorkers cluster) throws Exception {
        return cluster.cluster().getTopologySummaryByName(NAME).get_status();
    }
}
