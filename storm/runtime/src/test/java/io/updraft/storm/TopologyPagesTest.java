package io.updraft.storm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.updraft.base.testing.Await;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.storm.Config;
import org.apache.storm.generated.BoltAggregateStats;
import org.apache.storm.generated.CommonAggregateStats;
import org.apache.storm.generated.ComponentPageInfo;
import org.apache.storm.generated.ExecutorSummary;
import org.apache.storm.generated.LogConfig;
import org.apache.storm.generated.LogLevel;
import org.apache.storm.generated.LogLevelAction;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.generated.NotAliveException;
import org.apache.storm.generated.OwnerResourceSummary;
import org.apache.storm.generated.SupervisorPageInfo;
import org.apache.storm.generated.TopologyInfo;
import org.apache.storm.generated.TopologyPageInfo;
import org.apache.storm.generated.TopologyStats;
import org.apache.storm.utils.NimbusClient;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Compares the counts that clients receive over the wire with the counts of the components themselves. */
class TopologyPagesTest {
    private static final List<String> WINDOWS = List.of(":all-time", "600", "10800", "86400");

    private static UpdraftCluster cluster;
    private static NimbusPort port;
    private static NimbusClient client;
    private static Nimbus.Iface nimbus;
    private static String id;
    private static long acked;

    @BeforeAll
    static void countAndStop() throws Exception {
        cluster = new UpdraftCluster();
        port = NimbusPort.open(cluster, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        Map<String, Object> conf = Utils.readStormConfig();
        conf.put(Config.NIMBUS_SEEDS, List.of("localhost"));
        conf.put(Config.NIMBUS_THRIFT_PORT, port.address().getPort());
        client = NimbusClient.Builder.withConf(conf).build();
        nimbus = client.getClient();
        RunningComponents.reset(() -> {});
        cluster.submitTopology("counted", Map.of(Config.TOPOLOGY_MAX_SPOUT_PENDING, 100), RunningComponents.numbers());
        Await.until("messages are acked", () -> RunningComponents.ACKED.get() > 1000);
        nimbus.deactivate("counted");
        assertThat(cluster.engine("counted").awaitIdle(Duration.ofSeconds(50))).isTrue();
        acked = RunningComponents.ACKED.get();
        id = nimbus.getTopologySummaryByName("counted").get_id();
    }

    @AfterAll
    static void close() {
        client.close();
        cluster.close();
        port.close();
    }

    @Test
    void shouldCountByExecutorAsStormsPerformanceToolsReadIt() throws Exception {
        TopologyInfo info = nimbus.getTopologyInfo(id);
        long spouts = 0;
        long executed = 0;
        for (ExecutorSummary executor : info.get_executors()) {
            assertThat(executor.get_stats().get_emitted()).containsOnlyKeys(WINDOWS);
            if (executor.get_stats().get_specific().is_set_spout()) {
                spouts += sum(executor.get_stats()
                        .get_specific()
                        .get_spout()
                        .get_acked()
                        .get("600"));
            } else {
                executed += sum(executor.get_stats()
                        .get_specific()
                        .get_bolt()
                        .get_executed()
                        .get(":all-time"));
            }
        }
        assertThat(info.get_executors()).hasSize(4);
        assertThat(spouts).isEqualTo(acked);
        assertThat(executed).isEqualTo(acked);
        assertThat(nimbus.getTopologyInfoByName("counted").get_status()).isEqualTo("INACTIVE");
    }

    @Test
    void shouldFillTheTopologyPage() throws Exception {
        TopologyPageInfo page = nimbus.getTopologyPageInfo(id, ":all-time", false);

        assertThat(page.get_name()).isEqualTo("counted");
        assertThat(page.get_num_tasks()).isEqualTo(4);
        assertThat(page.get_num_executors()).isEqualTo(4);
        assertThat(page.get_owner()).isEqualTo(System.getProperty("user.name"));
        TopologyStats stats = page.get_topology_stats();
        assertThat(stats.get_window_to_acked()).containsOnlyKeys(WINDOWS).containsEntry("10800", acked);
        assertThat(stats.get_window_to_emitted()).containsEntry(":all-time", acked);
        assertThat(stats.get_window_to_complete_latencies_ms().get("600")).isPositive();
        CommonAggregateStats spout =
                page.get_id_to_spout_agg_stats().get("numbers").get_common_stats();
        assertThat(spout.get_acked()).isEqualTo(acked);
        assertThat(spout.get_num_executors()).isEqualTo(2);
        BoltAggregateStats bolt =
                page.get_id_to_bolt_agg_stats().get("sink").get_specific_stats().get_bolt();
        assertThat(bolt.get_executed()).isEqualTo(acked);
        assertThat(bolt.get_capacity()).isBetween(0.0, 1.0).isNotZero();
        assertThat(page.get_workers())
                .singleElement()
                .satisfies(worker -> assertThat(worker.get_component_to_num_tasks())
                        .containsEntry("sink", 2L)
                        .containsEntry("numbers", 2L));
    }

    @Test
    void shouldFillTheComponentPage() throws Exception {
        ComponentPageInfo page = nimbus.getComponentPageInfo(id, "sink", ":all-time", false);

        assertThat(page.get_window_to_stats()).containsOnlyKeys(WINDOWS);
        assertThat(page.get_window_to_stats().get("86400").get_common_stats().get_acked())
                .isEqualTo(acked);
        assertThat(page.get_exec_stats()).hasSize(2);
        assertThat(page.get_exec_stats().stream()
                        .mapToLong(executor -> executor.get_stats()
                                .get_specific_stats()
                                .get_bolt()
                                .get_executed())
                        .sum())
                .isEqualTo(acked);
        assertThat(page.get_gsid_to_input_stats().keySet())
                .singleElement()
                .satisfies(stream -> assertThat(stream.get_componentId()).isEqualTo("numbers"));
        assertThatThrownBy(() -> nimbus.getComponentPageInfo(id, "sunk", ":all-time", false))
                .isInstanceOf(NotAliveException.class);
    }

    @Test
    void shouldTellOfItsOneSupervisorItsOwnersAndItsPast() throws Exception {
        SupervisorPageInfo page = nimbus.getSupervisorPageInfo(
                nimbus.getClusterInfo().get_supervisors().get(0).get_supervisor_id(), null, false);
        assertThat(page.get_worker_summaries())
                .singleElement()
                .satisfies(worker -> assertThat(worker.get_topology_id()).isEqualTo(id));

        List<OwnerResourceSummary> owners = nimbus.getOwnerResourceSummaries(null);
        assertThat(owners).singleElement().satisfies(owner -> {
            assertThat(owner.get_total_executors()).isEqualTo(4);
            assertThat(owner.get_total_topologies()).isEqualTo(1);
        });
        assertThat(nimbus.getOwnerResourceSummaries("nobody-at-all")).isEmpty();
        assertThat(nimbus.getTopologyHistory(null).get_topo_ids()).containsExactly(id);
        assertThat(nimbus.getNimbusConf()).contains("\"nimbus.thrift.max_buffer_size\":");
        assertThat(nimbus.getTopologyConf(id)).contains("\"topology.max.spout.pending\":100");
        assertThat(nimbus.getUserTopology(id).get_bolts()).containsOnlyKeys("sink");
    }

    @Test
    void shouldChangeLogLevelsAndSetThemBack() throws Exception {
        String logger = "com.acme.talkative";

        nimbus.setLogConfig(id, trace(logger, 600));

        assertThat(LogManager.getLogger(logger).getLevel()).isEqualTo(Level.TRACE);
        LogLevel reported = nimbus.getLogConfig(id).get_named_logger_level().get(logger);
        assertThat(reported.get_reset_log_level_timeout_epoch())
                .isCloseTo(System.currentTimeMillis() + 600_000, within(60_000L));

        nimbus.setLogConfig(id, trace(logger, 1));
        Await.until("the level is set back", () -> LogManager.getLogger(logger).getLevel() == Level.INFO);
    }

    private static LogConfig trace(String logger, int seconds) {
        LogLevel level = new LogLevel(LogLevelAction.UPDATE);
        level.set_target_log_level("TRACE");
        level.set_reset_log_level_timeout_secs(seconds);
        LogConfig config = new LogConfig();
        config.put_to_named_logger_level(logger, level);
        return config;
    }

    private static long sum(Map<?, Long> byStream) {
        return byStream.values().stream().mapToLong(Long::longValue).sum();
    }
}
