package org.apache.storm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.engine.testing.TestBolt;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.storm.drpc.LinearDRPCTopologyBuilder;
import org.apache.storm.generated.NotAliveException;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.generated.TopologyInfo;
import org.apache.storm.metric.StormMetricsRegistry;
import org.apache.storm.testing.AckFailMapTracker;
import org.apache.storm.testing.FeederSpout;
import org.apache.storm.testing.IdentityBolt;
import org.apache.storm.testing.MkClusterParam;
import org.apache.storm.testing.TestWordSpout;
import org.apache.storm.testing.TrackedTopology;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Values;
import org.apache.storm.utils.DRPCClient;
import org.apache.storm.utils.NimbusClient;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.Test;

class LocalClusterTest {

    @Test
    void shouldRunATopologyAndAnswerAsNimbus() throws Exception {
        FeederSpout feeder = new FeederSpout(new Fields("word"));
        AckFailMapTracker acks = new AckFailMapTracker();
        feeder.setAckFailDelegate(acks);
        try (LocalCluster cluster = new LocalCluster()) {
            cluster.submitTopology("fed", new Config(), unending(feeder, false));
            feeder.feed(new Values("a"), 1);
            Testing.whileTimeout(() -> !acks.isAcked(1), Thread::onSpinWait);

            assertThat(cluster.getNimbus().getClusterInfo().get_topologies())
                    .extracting(each -> each.get_name())
                    .containsExactly("fed");
            assertThat(cluster.getTopologyInfoByName("fed").get_status()).isEqualTo("ACTIVE");
            cluster.deactivate("fed");
            assertThat(cluster.getNimbus().getTopologyInfoByName("fed").get_status())
                    .isEqualTo("INACTIVE");
            assertThat(cluster.isTopologyNameAllowed("fed")).isFalse();
        }
    }

    /** With a tuple in flight that nobody acks: as with Storm's, the caller does not wait for it. */
    @Test
    void shouldBeginToKillAndReturn() throws Exception {
        FeederSpout feeder = new FeederSpout(new Fields("word"));
        try (LocalCluster cluster = new LocalCluster()) {
            cluster.submitTopology("held", new Config(), unending(feeder, true));
            feeder.feed(new Values("a"), 1);
            Testing.whileTimeout(() -> isIdle(cluster, "held"), Thread::onSpinWait);
            cluster.killTopology("held");
            assertThat(cluster.getTopologyInfoByName("held").get_status()).isEqualTo("KILLED");
            cluster.killTopologyWithOpts("held", LocalCluster.KILL_NOW);
            Testing.whileTimeout(() -> isThere(cluster, "held"), Thread::onSpinWait);
        }
    }

    @Test
    void shouldKillATopologyThatIsClosed() throws Exception {
        try (LocalCluster cluster = new LocalCluster()) {
            try (LocalCluster.LocalTopology running = cluster.submitTopology("words", new Config(), words())) {
                assertThat(running.get_spouts()).containsKey("words");
            }
            Testing.whileTimeout(() -> isThere(cluster, "words"), Thread::onSpinWait);
        }
    }

    @Test
    void shouldBeWhomStormsClientOfThisProcessCalls() throws Exception {
        try (LocalCluster cluster = new LocalCluster();
                NimbusClient client =
                        NimbusClient.Builder.withConf(cluster.getDaemonConf()).build()) {
            cluster.submitTopology("words", new Config(), words());
            assertThat(client.getClient().getTopologySummaryByName("words").get_status())
                    .isEqualTo("ACTIVE");
        }
        assertThat(NimbusClient.isLocalOverride()).isFalse();
    }

    @Test
    void shouldOpenAPortIfAsked() throws Exception {
        MkClusterParam param = new MkClusterParam();
        param.setNimbusDaemon(true);
        param.setDaemonConf(Map.of(Config.NIMBUS_THRIFT_PORT, 0));
        Testing.withLocalCluster(param, cluster -> {
            Map<String, Object> conf = Utils.readStormConfig();
            conf.put(Config.NIMBUS_SEEDS, List.of("127.0.0.1"));
            conf.put(Config.NIMBUS_THRIFT_PORT, ((LocalCluster) cluster).getThriftServerPort());
            cluster.submitTopology("words", new Config(), words());
            try (NimbusClient client = NimbusClient.Builder.withConf(conf).build()) {
                assertThat(client.getClient().getTopologySummaries()).hasSize(1);
            }
        });
        try (LocalCluster cluster = new LocalCluster()) {
            assertThatThrownBy(cluster::getThriftServerPort).hasMessageContaining("withNimbusDaemon()");
        }
    }

    @Test
    void shouldTellThePluginWhatWasSubmitted() throws Exception {
        Config conf = new Config();
        conf.put(Config.STORM_TOPOLOGY_SUBMISSION_NOTIFIER_PLUGIN, Hook.class.getName());
        try (LocalCluster cluster = new LocalCluster()) {
            cluster.submitTopology("words", conf, words());
            assertThat(Hook.SEEN).hasValue("words");
        }
    }

    @Test
    void shouldLetMessagesTimeOutAsStormsDoes() throws Exception {
        String key = Config.TOPOLOGY_ENABLE_MESSAGE_TIMEOUTS;
        try (LocalCluster cluster = new LocalCluster()) {
            assertThat(cluster.getDaemonConf()).containsEntry(key, true);
        }
        try (LocalCluster cluster = new LocalCluster.Builder().build()) {
            assertThat(cluster.getDaemonConf()).containsEntry(key, false);
        }
        try (LocalCluster cluster = new LocalCluster("zookeeper", 4L)) {
            assertThat(cluster.getDaemonConf()).containsEntry(key, true).containsEntry(Config.STORM_ZOOKEEPER_PORT, 4L);
        }
    }

    @Test
    void shouldStandInForRemoteClustersWhileSomethingRuns() throws Exception {
        String answer = LocalCluster.withLocalModeOverride(
                () -> {
                    LinearDRPCTopologyBuilder builder = new LinearDRPCTopologyBuilder("echo");
                    builder.addBolt(new EchoBolt());
                    try (NimbusClient nimbus = NimbusClient.Builder.withConf(Utils.readStormConfig())
                            .build()) {
                        nimbus.getClient().submitTopology("echo", null, "{}", builder.createRemoteTopology());
                    }
                    try (DRPCClient client = DRPCClient.getConfiguredClient(Utils.readStormConfig())) {
                        return client.execute("echo", "hello");
                    }
                },
                0);
        assertThat(answer).isEqualTo("hello");
    }

    @Test
    void shouldCountByTheIdOfATrackedCluster() throws Exception {
        FeederSpout feeder = new FeederSpout(new Fields("word"));
        try (LocalCluster cluster =
                new LocalCluster.Builder().withSimulatedTime().withTracked().build()) {
            TrackedTopology tracked = new TrackedTopology(unending(feeder, false), cluster);
            cluster.submitTopology("fed", new Config(), tracked);
            feeder.feed(new Values("a"), 1);
            tracked.trackedWait(1);
            assertThat(Testing.globalAmt(cluster.getTrackedId(), "spout-emitted"))
                    .isOne();
            assertThat(tracked.globalAmt("processed")).isOne();
        }
        assertThatThrownBy(() -> Testing.globalAmt("nobody's", "processed")).hasMessageContaining("nobody's");
    }

    @Test
    void shouldRefuseWhatOnlyStormsServerHas() throws Exception {
        LocalCluster.Builder builder =
                new LocalCluster.Builder().withINimbus(null).withNimbusWrapper(null);
        assertThatThrownBy(() -> builder.withNimbusWrapper(nimbus -> nimbus))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("Updraft's");
        try (LocalCluster local = (LocalCluster) Testing.getLocalCluster(Map.of("daemon-conf", Map.of("own.key", 1)))) {
            assertThat(local.getDaemonConf()).containsEntry("own.key", 1);
            assertThatThrownBy(local::addSupervisor).hasMessageContaining("there are no supervisors");
            assertThat(local.getSupervisor("any")).isNull();
        }
        try (LocalDRPC drpc = new LocalDRPC(new StormMetricsRegistry())) {
            assertThat(drpc.getServiceId()).isNotEmpty();
        }
    }

    private static boolean isIdle(LocalCluster cluster, String topology) {
        try {
            return cluster.updraft().engine(topology).snapshot().inFlightTrees() == 0;
        } catch (NotAliveException e) {
            throw new AssertionError(e);
        }
    }

    private static boolean isThere(LocalCluster cluster, String topology) {
        return cluster.updraft().topologyNames().contains(topology);
    }

    private static StormTopology words() {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("words", new TestWordSpout());
        return builder.createTopology();
    }

    /** With a bolt that holds on to tuples, or acks them. */
    private static StormTopology unending(FeederSpout feeder, boolean holds) {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("words", feeder);
        if (holds) {
            builder.setBolt("holds", TestBolt.of((tuple, out) -> {})).shuffleGrouping("words");
        } else {
            builder.setBolt("acks", new IdentityBolt(new Fields("word"))).shuffleGrouping("words");
        }
        return builder.createTopology();
    }

    /** Remembers what it was told of. */
    public static final class Hook implements ISubmitterHook {
        static final AtomicReference<String> SEEN = new AtomicReference<>();

        @Override
        public void notify(TopologyInfo info, Map<String, Object> conf, StormTopology topology) {
            SEEN.set(info.get_name());
        }
    }
}
