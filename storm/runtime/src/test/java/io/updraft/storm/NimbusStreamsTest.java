package io.updraft.storm;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.base.testing.Await;
import io.updraft.engine.testing.TestBolt;
import io.updraft.engine.testing.TestSpout;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.apache.storm.Config;
import org.apache.storm.generated.BoltAggregateStats;
import org.apache.storm.generated.BoltStats;
import org.apache.storm.generated.ComponentAggregateStats;
import org.apache.storm.generated.ComponentPageInfo;
import org.apache.storm.generated.ExecutorSummary;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.generated.SpoutStats;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The counts that clients receive of components with several streams: every third message goes to the left and fails there. */
@SuppressWarnings("serial")
class NimbusStreamsTest {
    private static final double ROUNDING = 1e-9;
    private static final AtomicLong LEFT = new AtomicLong();
    private static final AtomicLong RIGHT = new AtomicLong();
    private static final GlobalStreamId FROM_LEFT = new GlobalStreamId("fork", "left");
    private static final GlobalStreamId FROM_RIGHT = new GlobalStreamId("fork", "right");

    @AutoClose
    private static UpdraftCluster cluster;

    private static Nimbus.Iface nimbus;
    private static String id;

    @BeforeAll
    static void runAndStop() throws Exception {
        LEFT.set(0);
        RIGHT.set(0);
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("fork", new Fork(), 1);
        topology.setBolt("join", new Join(), 2).shuffleGrouping("fork", "left").shuffleGrouping("fork", "right");
        cluster = new UpdraftCluster();
        nimbus = LocalNimbus.of(cluster);
        cluster.submitTopology("forked", Map.of(Config.TOPOLOGY_MAX_SPOUT_PENDING, 100), topology.createTopology());
        Await.until("messages are acked", () -> RIGHT.get() > 2000);
        nimbus.deactivate("forked");
        assertThat(cluster.engine("forked").awaitIdle(Duration.ofSeconds(50))).isTrue();
        id = nimbus.getTopologySummaryByName("forked").get_id();
    }

    @Test
    void shouldCountEachStreamOfAComponent() throws Exception {
        for (String window : new String[] {":all-time", "600", "10800", "86400"}) {
            ExecutorSummary fork = executors("fork").get(0);
            assertThat(fork.get_stats().get_emitted().get(window)).isEqualTo(counts("left", LEFT, "right", RIGHT));
            assertThat(fork.get_stats().get_transferred().get(window)).isEqualTo(counts("left", LEFT, "right", RIGHT));
            SpoutStats spout = fork.get_stats().get_specific().get_spout();
            assertThat(spout.get_acked().get(window)).isEqualTo(Map.of("left", 0L, "right", RIGHT.get()));
            assertThat(spout.get_failed().get(window)).isEqualTo(Map.of("left", LEFT.get(), "right", 0L));
            assertThat(spout.get_complete_ms_avg().get(window).get("right")).isPositive();
            assertThat(joined(bolt -> bolt.get_executed().get(window)))
                    .isEqualTo(counts(FROM_LEFT, LEFT, FROM_RIGHT, RIGHT));
            assertThat(joined(bolt -> bolt.get_acked().get(window)))
                    .isEqualTo(Map.of(FROM_LEFT, 0L, FROM_RIGHT, RIGHT.get()));
            assertThat(joined(bolt -> bolt.get_failed().get(window)))
                    .isEqualTo(Map.of(FROM_LEFT, LEFT.get(), FROM_RIGHT, 0L));
            BoltStats bolt = executors("join").get(0).get_stats().get_specific().get_bolt();
            assertThat(bolt.get_execute_ms_avg().get(window)).containsOnlyKeys(FROM_LEFT, FROM_RIGHT);
            assertThat(bolt.get_process_ms_avg().get(window).get(FROM_RIGHT)).isPositive();
        }
    }

    @Test
    void shouldTellOfEachStreamOnThePageOfAComponent() throws Exception {
        ComponentPageInfo fork = nimbus.getComponentPageInfo(id, "fork", "600", false);
        assertThat(fork.get_sid_to_output_stats()).containsOnlyKeys("left", "right");
        ComponentAggregateStats right = fork.get_sid_to_output_stats().get("right");
        assertThat(right.get_common_stats().get_emitted()).isEqualTo(RIGHT.get());
        assertThat(right.get_common_stats().get_acked()).isEqualTo(RIGHT.get());
        assertThat(right.get_specific_stats().get_spout().get_complete_latency_ms())
                .isPositive();

        ComponentPageInfo join = nimbus.getComponentPageInfo(id, "join", "600", false);
        assertThat(join.get_gsid_to_input_stats()).containsOnlyKeys(FROM_LEFT, FROM_RIGHT);
        ComponentAggregateStats left = join.get_gsid_to_input_stats().get(FROM_LEFT);
        assertThat(left.get_specific_stats().get_bolt().get_executed()).isEqualTo(LEFT.get());
        assertThat(left.get_common_stats().get_failed()).isEqualTo(LEFT.get());
        ComponentAggregateStats all = join.get_window_to_stats().get("600");
        assertThat(all.get_specific_stats().get_bolt().get_process_latency_ms()).isPositive();
        assertThat(join.get_gsid_to_input_stats().values().stream()
                        .mapToDouble(NimbusStreamsTest::busyMillis)
                        .sum())
                .isPositive()
                .isLessThanOrEqualTo(busyMillis(all) * (1 + ROUNDING));
        assertThat(all.get_specific_stats().get_bolt().get_executed()).isEqualTo(LEFT.get() + RIGHT.get());
    }

    private static double busyMillis(ComponentAggregateStats stats) {
        BoltAggregateStats bolt = stats.get_specific_stats().get_bolt();
        return bolt.get_executed() * bolt.get_execute_latency_ms();
    }

    private static Map<Object, Long> counts(Object a, AtomicLong ofA, Object b, AtomicLong ofB) {
        return Map.of(a, ofA.get(), b, ofB.get());
    }

    private static List<ExecutorSummary> executors(String component) throws Exception {
        return nimbus.getTopologyInfo(id).get_executors().stream()
                .filter(executor -> executor.get_component_id().equals(component))
                .toList();
    }

    /** What both executors of the bolt together have counted. */
    private static Map<GlobalStreamId, Long> joined(Function<BoltStats, Map<GlobalStreamId, Long>> counts)
            throws Exception {
        Map<GlobalStreamId, Long> sum = new HashMap<>();
        for (ExecutorSummary executor : executors("join")) {
            counts.apply(executor.get_stats().get_specific().get_bolt())
                    .forEach((stream, count) -> sum.merge(stream, count, Long::sum));
        }
        return sum;
    }

    /** Emits on two streams, and counts what it has emitted. */
    private static final class Fork extends TestSpout {
        private long next;

        @Override
        public void nextTuple() {
            boolean left = next % 3 == 0;
            (left ? LEFT : RIGHT).incrementAndGet();
            out.emit(left ? "left" : "right", new Values(next), next++);
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declareStream("left", new Fields("number"));
            declarer.declareStream("right", new Fields("number"));
        }
    }

    /** Fails what comes from the left. */
    private static final class Join extends TestBolt {
        @Override
        public void execute(Tuple input) {
            if (input.getSourceStreamId().equals("left")) {
                out.fail(input);
            } else {
                out.ack(input);
            }
        }
    }
}
