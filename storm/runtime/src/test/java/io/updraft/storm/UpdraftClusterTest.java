package io.updraft.storm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.base.testing.Await;
import io.updraft.engine.snapshot.ErrorReport;
import io.updraft.storm.UpdraftCluster.LocalTopology;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import org.apache.storm.Config;
import org.apache.storm.generated.AlreadyAliveException;
import org.apache.storm.generated.ErrorInfo;
import org.apache.storm.generated.ExecutorSummary;
import org.apache.storm.generated.GetInfoOptions;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.generated.NotAliveException;
import org.apache.storm.generated.NumErrorsChoice;
import org.apache.storm.generated.RebalanceOptions;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.generated.SubmitOptions;
import org.apache.storm.generated.TopologyInfo;
import org.apache.storm.generated.TopologyInitialStatus;
import org.apache.storm.generated.TopologySummary;
import org.apache.storm.thrift.TException;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class UpdraftClusterTest {
    private final ConcurrentLinkedQueue<ErrorReport> errors = new ConcurrentLinkedQueue<>();

    @AutoClose
    private UpdraftCluster cluster = new UpdraftCluster.Builder()
            .withErrorListener((topology, error) -> errors.add(error))
            .withDrainLimit(Duration.ofSeconds(60))
            .build();

    @BeforeEach
    void reset() {
        RunningComponents.reset(() -> {});
    }

    @Test
    void shouldRunATopologyUntilTheClusterIsClosed() throws Exception {
        cluster.submitTopology("run", Map.of(), RunningComponents.numbers());

        Await.until("tuples are acked", () -> RunningComponents.ACKED.get() > 1000);
        cluster.close();

        assertThat(cluster.topologyNames()).isEmpty();
        assertThat(RunningComponents.CLOSED).hasPositiveValue().hasValue(RunningComponents.OPENED.get());
        assertThat(RunningComponents.ACKED).hasValue(RunningComponents.EMITTED.get());
    }

    @Test
    void shouldHonourTheInitialStatusAndLaterChangesOfIt() throws Exception {
        cluster.submitTopologyWithOpts(
                "calm", Map.of(), RunningComponents.numbers(), new SubmitOptions(TopologyInitialStatus.INACTIVE));
        assertThat(statusOf("calm")).isEqualTo("INACTIVE");
        assertThat(RunningComponents.EMITTED).hasValue(0);

        cluster.activate("calm");
        assertThat(statusOf("calm")).isEqualTo("ACTIVE");
        Await.until("the spout emits", () -> RunningComponents.EMITTED.get() > 0);

        cluster.deactivate("calm");
        assertThat(statusOf("calm")).isEqualTo("INACTIVE");
    }

    @Test
    void shouldCompleteWhatIsInFlightBeforeItKills() throws Exception {
        cluster.submitTopology("drain", Map.of(), RunningComponents.numbers());
        Await.until("the spout emits", () -> RunningComponents.EMITTED.get() > 100);

        cluster.killTopology("drain");

        assertThat(RunningComponents.ACKED).hasValue(RunningComponents.EMITTED.get());
        assertThat(RunningComponents.CLOSED).hasPositiveValue().hasValue(RunningComponents.OPENED.get());
        assertThatThrownBy(() -> cluster.killTopology("drain")).isInstanceOf(NotAliveException.class);
    }

    @Test
    void shouldWaitForASlowBoltBeforeItKills() throws Exception {
        CompletableFuture<Void> release = new CompletableFuture<>();
        RunningComponents.reset(release::join);
        cluster.submitTopology("slow", Map.of(Config.TOPOLOGY_MAX_SPOUT_PENDING, 10), RunningComponents.numbers());
        Await.until("a tuple is emitted", () -> RunningComponents.EMITTED.get() > 0);

        CompletableFuture<Void> killed = CompletableFuture.runAsync(() -> killQuietly("slow", 100));
        Await.until("it is being killed", () -> statusOf("slow").equals("KILLED"));
        assertThatThrownBy(() -> cluster.submitTopology("slow", Map.of(), RunningComponents.numbers()))
                .isInstanceOf(AlreadyAliveException.class);
        assertThat(killed).isNotDone();
        release.complete(null);

        assertThat(killed).succeedsWithin(Duration.ofSeconds(50));
        assertThat(cluster.topologyNames()).isEmpty();
        assertThat(RunningComponents.ACKED).hasPositiveValue().hasValue(RunningComponents.EMITTED.get());
    }

    @Test
    void shouldShowATopologyThatDiedUntilItIsKilled() throws Exception {
        RunningComponents.reset(() -> {
            throw new IllegalStateException("no good");
        });
        cluster.submitTopology("mortal", Map.of("updraft.on.error", "die"), RunningComponents.numbers());

        Await.until("it is dead", () -> statusOf("mortal").equals("DEAD"));
        assertThat(cluster.engine("mortal").death().componentId()).isEqualTo("sink");

        cluster.killTopology("mortal");
        assertThat(cluster.topologyNames()).isEmpty();
    }

    @Test
    void shouldLetAComponentKillItsOwnTopology() throws Exception {
        RunningComponents.reset(() -> killQuietly("suicide", 0));

        cluster.submitTopology("suicide", Map.of(), RunningComponents.numbers());

        Await.until("the topology is gone", () -> cluster.topologyNames().isEmpty());
        assertThat(RunningComponents.CLOSED).hasPositiveValue().hasValue(RunningComponents.OPENED.get());
    }

    @Test
    void shouldRefuseASecondTopologyOfOneNameUntilTheFirstIsGone() throws Exception {
        cluster.submitTopology("twice", Map.of(), RunningComponents.numbers());

        assertThatThrownBy(() -> cluster.submitTopology("twice", Map.of(), RunningComponents.numbers()))
                .isInstanceOf(AlreadyAliveException.class)
                .hasMessageContaining("'twice' is already running");

        cluster.killTopologyWithOpts("twice", RunningComponents.within(0));
        cluster.submitTopology("twice", Map.of(), RunningComponents.numbers());
        assertThat(cluster.topologyNames()).containsExactly("twice");
    }

    @Test
    void shouldRunSeveralTopologiesAtOnce() throws Exception {
        cluster.submitTopology("first", Map.of(), RunningComponents.numbers());
        cluster.submitTopology("second", Map.of(), RunningComponents.numbers());

        assertThat(cluster.getTopologySummaries())
                .extracting(TopologySummary::get_name)
                .containsExactly("first", "second");
        assertThat(cluster.getClusterInfo().get_topologies()).hasSize(2);
        Await.until("both run", () -> ackedOf("first") > 100 && ackedOf("second") > 100);
    }

    @Test
    void shouldRefuseAnInvalidTopologyWithTheEnginesMessage() {
        TopologyBuilder builder = RunningComponents.builder();
        builder.setBolt("lost", new RunningComponents.Sink()).shuffleGrouping("nowhere");
        StormTopology invalid = builder.createTopology();

        assertThatThrownBy(() -> cluster.submitTopology("invalid", Map.of(), invalid))
                .isInstanceOf(InvalidTopologyException.class)
                .hasMessageContaining("lost")
                .hasMessageContaining("nowhere");
        assertThat(cluster.topologyNames()).isEmpty();
    }

    @Test
    void shouldRefuseNamesAndSettingsThatStormRefuses() {
        StormTopology topology = RunningComponents.numbers();

        assertThatThrownBy(() -> cluster.submitTopology("a/b", Map.of(), topology))
                .isInstanceOf(InvalidTopologyException.class)
                .hasMessageContaining("a/b");
        assertThatThrownBy(() -> cluster.submitTopology("x", Map.of(Config.TOPOLOGY_WORKERS, "many"), topology))
                .isInstanceOf(InvalidTopologyException.class)
                .hasMessageContaining("TOPOLOGY_WORKERS must be an Integer");
        assertThatThrownBy(() -> cluster.submitTopologyWithOpts("x", Map.of(), topology, null))
                .isInstanceOf(InvalidTopologyException.class);
        assertThatThrownBy(() -> cluster.submitTopology("x", Map.of("my.object", new Object()), topology))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("JSON");
    }

    @Test
    void shouldKeepTheConfigurationAsStormWould() throws Exception {
        cluster = new UpdraftCluster.Builder()
                .withDaemonConf(Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS, 77)
                .withDaemonConf(Config.TOPOLOGY_MAX_SPOUT_PENDING, 5)
                .build();

        cluster.submitTopology("conf", Map.of(Config.TOPOLOGY_MAX_SPOUT_PENDING, 10), RunningComponents.numbers());

        String id = cluster.getTopologySummaryByName("conf").get_id();
        assertThat(Utils.parseJson(cluster.getTopologyConf(id)))
                .containsEntry(Config.TOPOLOGY_NAME, "conf")
                .containsEntry(Config.STORM_ID, id)
                .containsEntry(Config.TOPOLOGY_MAX_SPOUT_PENDING, 10)
                .doesNotContainKey(Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS);
        assertThat(cluster.engine("conf").plan().conf())
                .containsEntry(Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS, 77)
                .containsEntry(Config.TOPOLOGY_MAX_SPOUT_PENDING, 10)
                .containsEntry(Config.STORM_CLUSTER_MODE, "local");
        assertThatThrownBy(() -> cluster.getTopologyConf("conf"))
                .isInstanceOf(NotAliveException.class)
                .hasMessageContaining(id);
    }

    @Test
    void shouldDescribeATopologyInStormsWords() throws Exception {
        cluster.submitTopology("info", Map.of(), RunningComponents.numbers());
        Await.until("tuples are acked", () -> ackedOf("info") > 100);

        TopologyInfo info = cluster.getTopologyInfoByName("info");

        assertThat(info.get_id()).matches("info-1-\\d+");
        assertThat(info.get_executors())
                .extracting(ExecutorSummary::get_component_id)
                .containsExactlyInAnyOrder("numbers", "numbers", "sink", "sink");
        assertThat(sum(
                        info,
                        "sink",
                        executor -> executor.get_stats()
                                .get_specific()
                                .get_bolt()
                                .get_executed()
                                .get(":all-time")
                                .values()))
                .isPositive();
        assertThat(sum(
                        info,
                        "numbers",
                        executor ->
                                executor.get_stats().get_emitted().get("600").values()))
                .isPositive();
        assertThat(cluster.getTopologySummary(info.get_id()).get_num_tasks()).isEqualTo(4);
        assertThat(cluster.getTopology(info.get_id()).get_spouts()).containsOnlyKeys("numbers");
        assertThat(info.get_errors()).containsOnlyKeys("numbers", "sink");
    }

    @Test
    void shouldShowErrorsOfUserCode() throws Exception {
        RunningComponents.reset(() -> {
            throw new IllegalStateException("no good");
        });
        cluster.submitTopology("errors", Map.of(), RunningComponents.numbers());
        Await.until("errors are told", () -> errors.size() > 1);

        assertThat(errors.peek().componentId()).isEqualTo("sink");
        assertThat(errorsOf("errors", NumErrorsChoice.ALL)).hasSizeGreaterThan(1);
        assertThat(errorsOf("errors", NumErrorsChoice.NONE)).isEmpty();
        assertThat(errorsOf("errors", NumErrorsChoice.ONE))
                .singleElement()
                .satisfies(error -> assertThat(error.get_error()).contains("no good", "RunningComponents"));
        cluster.killTopologyWithOpts("errors", RunningComponents.within(0));
    }

    @Test
    void shouldEndATopologyWithItsHandleOnly() throws Exception {
        LocalTopology first = cluster.submitTopology("handle", Map.of(), RunningComponents.numbers());
        first.close();
        assertThat(cluster.topologyNames()).isEmpty();

        try (LocalTopology second = cluster.submitTopology("handle", Map.of(), RunningComponents.numbers())) {
            first.close();
            assertThat(cluster.topologyNames()).containsExactly("handle");
            assertThat(second.get_bolts()).containsOnlyKeys("sink");
        }
        assertThat(cluster.topologyNames()).isEmpty();
    }

    @Test
    void shouldSayWhatAnEmbeddedClusterDoesNotDo() throws Exception {
        cluster.submitTopology("limits", Map.of(), RunningComponents.numbers());

        RebalanceOptions moreWorkers = new RebalanceOptions();
        moreWorkers.set_num_workers(2);
        assertThatThrownBy(() -> cluster.rebalance("limits", moreWorkers))
                .isInstanceOf(InvalidTopologyException.class)
                .satisfies(refusal -> assertThat(((InvalidTopologyException) refusal).get_msg())
                        .isEqualTo(
                                "topology 'limits' was not rebalanced: it runs in this process, not in workers; run it"
                                        + " with --workers to change their number"));
        RebalanceOptions otherConf = new RebalanceOptions();
        otherConf.set_topology_conf_overrides("{\"topology.max.spout.pending\": 7}");
        assertThatThrownBy(() -> cluster.rebalance("limits", otherConf))
                .isInstanceOf(InvalidTopologyException.class)
                .satisfies(refusal -> assertThat(((InvalidTopologyException) refusal).get_msg())
                        .contains("a topology that runs in this process cannot change its configuration"));
        assertThatThrownBy(() -> cluster.getClusterState())
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("ZooKeeper");
        assertThatThrownBy(() -> cluster.advanceClusterTime(1))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("withSimulatedTime");
        assertThat(cluster.getTrackedId()).isNull();
    }

    @Test
    void shouldDriveTicksWithSimulatedTime() throws Exception {
        cluster = new UpdraftCluster.Builder().withSimulatedTime().build();
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("numbers", new TestComponents.QuietSpout());
        builder.setBolt("sink", new RunningComponents.Sink())
                .shuffleGrouping("numbers")
                .addConfiguration(Config.TOPOLOGY_TICK_TUPLE_FREQ_SECS, 10);
        cluster.submitTopology("ticks", Map.of(), builder.createTopology());
        assertThat(RunningComponents.TICKS).hasValue(0);

        int seconds = 0;
        while (RunningComponents.TICKS.get() < 5 && seconds < 1000) {
            cluster.advanceClusterTime(1);
            seconds++;
        }

        assertThat(RunningComponents.TICKS).hasValue(5);
        assertThat(seconds).isGreaterThanOrEqualTo(50);
    }

    @Test
    void shouldTakeNoMoreTopologiesOnceClosed() {
        cluster.close();
        cluster.close();

        assertThatThrownBy(() -> cluster.submitTopology("late", Map.of(), RunningComponents.numbers()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
    }

    @Test
    void shouldNotWaitForTuplesThatNeverCompleteLongerThanAsked() throws Exception {
        cluster = new UpdraftCluster.Builder().withDrainLimit(Duration.ZERO).build();
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("numbers", new RunningComponents.Numbers());
        builder.setBolt("hold", new TestComponents.QuietBolt()).shuffleGrouping("numbers");
        cluster.submitTopology("held", Map.of(Config.TOPOLOGY_MAX_SPOUT_PENDING, 10), builder.createTopology());
        Await.until("the spout emits", () -> RunningComponents.EMITTED.get() > 0);

        cluster.close();

        assertThat(cluster.topologyNames()).isEmpty();
        assertThat(RunningComponents.ACKED).hasValue(0);
    }

    private String statusOf(String name) throws TException {
        return cluster.getTopologySummaryByName(name).get_status();
    }

    private long ackedOf(String name) throws TException {
        return sum(
                cluster.getTopologyInfoByName(name),
                "numbers",
                executor -> executor.get_stats()
                        .get_specific()
                        .get_spout()
                        .get_acked()
                        .get(":all-time")
                        .values());
    }

    private List<ErrorInfo> errorsOf(String name, NumErrorsChoice choice) throws TException {
        GetInfoOptions options = new GetInfoOptions();
        options.set_num_err_choice(choice);
        return cluster.getTopologyInfoByNameWithOpts(name, options).get_errors().get("sink");
    }

    private static long sum(TopologyInfo info, String component, Function<ExecutorSummary, Collection<Long>> counts) {
        return info.get_executors().stream()
                .filter(executor -> executor.get_component_id().equals(component))
                .flatMap(executor -> counts.apply(executor).stream())
                .mapToLong(Long::longValue)
                .sum();
    }

    private void killQuietly(String name, int waitSecs) {
        try {
            cluster.killTopologyWithOpts(name, RunningComponents.within(waitSecs));
        } catch (NotAliveException e) {
            assertThat(e.getMessage()).contains(name); // another tuple was first
        } catch (TException e) {
            throw new AssertionError(e);
        }
    }
}
