package org.apache.storm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.engine.testing.TestBolt;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.storm.Testing.CapturedTopology;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.testing.AckFailMapTracker;
import org.apache.storm.testing.CompleteTopologyParam;
import org.apache.storm.testing.FeederSpout;
import org.apache.storm.testing.FixedTuple;
import org.apache.storm.testing.MkTupleParam;
import org.apache.storm.testing.MockedSources;
import org.apache.storm.testing.TestGlobalCount;
import org.apache.storm.testing.TestWordCounter;
import org.apache.storm.testing.TestWordSpout;
import org.apache.storm.testing.TrackedTopology;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;
import org.junit.jupiter.api.Test;

class TestingTest {

    @Test
    void shouldCompleteATopologyWithMockedSources() {
        Testing.withSimulatedTimeLocalCluster(cluster -> {
            TopologyBuilder builder = new TopologyBuilder();
            builder.setSpout("words", new TestWordSpout(true), 3);
            builder.setBolt("count", new TestWordCounter(), 4).fieldsGrouping("words", new Fields("word"));
            builder.setBolt("all", new TestGlobalCount()).globalGrouping("words");
            MockedSources sources = new MockedSources();
            sources.addMockData(
                    "words", new Values("nathan"), new Values("bob"), new Values("joey"), new Values("nathan"));
            CompleteTopologyParam param = new CompleteTopologyParam();
            param.setMockedSources(sources);
            Map<String, List<FixedTuple>> results = Testing.completeTopology(cluster, builder.createTopology(), param);
            assertThat(Testing.readTuples(results, "words"))
                    .containsExactlyInAnyOrder(
                            new Values("nathan"), new Values("bob"), new Values("joey"), new Values("nathan"));
            assertThat(Testing.multiseteq(
                            List.of(
                                    new Values("nathan", 1),
                                    new Values("nathan", 2),
                                    new Values("bob", 1),
                                    new Values("joey", 1)),
                            Testing.readTuples(results, "count")))
                    .isTrue();
            assertThat(Testing.readTuples(results, "all"))
                    .containsExactly(new Values(1), new Values(2), new Values(3), new Values(4));
        });
    }

    @Test
    void shouldWaitForWhatIsFedToATrackedTopology() {
        Testing.withTrackedCluster(cluster -> {
            FeederSpout feeder = new FeederSpout(new Fields("word"));
            AckFailMapTracker acks = new AckFailMapTracker();
            feeder.setAckFailDelegate(acks);
            TopologyBuilder builder = new TopologyBuilder();
            builder.setSpout("words", feeder);
            builder.setBolt("count", new TestWordCounter()).fieldsGrouping("words", new Fields("word"));
            CapturedTopology<TrackedTopology> tracked =
                    Testing.trackAndCaptureTopology(cluster, builder.createTopology());
            cluster.submitTopology("fed", new Config(), tracked.topology.getTopology());
            feeder.feed(new Values("a"), 1);
            Testing.trackedWait(tracked, 1);
            assertThat(counts(tracked)).containsExactly(new Values("a", 1));
            feeder.feed(new Values("a"), 2);
            feeder.feed(new Values("b"), 3);
            Testing.trackedWait(tracked.topology, 2);
            assertThat(counts(tracked))
                    .containsExactlyInAnyOrder(new Values("a", 1), new Values("a", 2), new Values("b", 1));
            assertThat(List.of(1, 2, 3)).allMatch(acks::isAcked);
            assertThat(tracked.topology.globalAmt("spout-emitted")).isEqualTo(3);
            assertThatThrownBy(() -> tracked.topology.trackedWait(1, 50)).isInstanceOf(AssertionError.class);
        });
    }

    @Test
    void shouldNotWaitForTuplesThatABoltHoldsOnTo() {
        Testing.withTrackedCluster(cluster -> {
            FeederSpout feeder = new FeederSpout(new Fields("word"));
            AckFailMapTracker acks = new AckFailMapTracker();
            feeder.setAckFailDelegate(acks);
            TopologyBuilder builder = new TopologyBuilder();
            builder.setSpout("words", feeder);
            builder.setBolt("pairs", new LaterAckBolt()).shuffleGrouping("words");
            TrackedTopology tracked = Testing.mkTrackedTopology(cluster, builder.createTopology());
            cluster.submitTopology("pairs", new Config(), tracked.getTopology());
            for (int i = 0; i < 20; i += 2) {
                feeder.feed(new Values("a"), i);
                Testing.trackedWait(tracked);
                assertThat(acks.isAcked(i)).isFalse();
                feeder.feed(new Values("b"), i + 1);
                Testing.trackedWait(tracked);
                assertThat(List.of(i, i + 1)).allMatch(acks::isAcked);
            }
            // Simulated time has gone far beyond the timeout of messages meanwhile.
            assertThat(IntStream.range(0, 20)).noneMatch(acks::isFailed);
        });
    }

    @Test
    void shouldLetTimeRunOutWhenTheTestSaysSo() {
        Testing.withSimulatedTimeLocalCluster(cluster -> {
            FeederSpout feeder = new FeederSpout(new Fields("word"));
            AckFailMapTracker acks = new AckFailMapTracker();
            feeder.setAckFailDelegate(acks);
            TopologyBuilder builder = new TopologyBuilder();
            builder.setSpout("words", feeder);
            builder.setBolt("never", TestBolt.of((tuple, out) -> {})).shuffleGrouping("words");
            Config conf = new Config();
            conf.setMessageTimeoutSecs(10);
            conf.put(Config.TOPOLOGY_ENABLE_MESSAGE_TIMEOUTS, true);
            cluster.submitTopology("late", conf, builder.createTopology());
            feeder.feed(new Values("a"), 1);
            Testing.advanceClusterTime(cluster, 5);
            assertThat(acks.isFailed(1)).isFalse();
            Testing.whileTimeout(() -> !acks.isFailed(1), () -> {
                try {
                    Testing.advanceClusterTime(cluster, 5);
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
        });
    }

    @Test
    void shouldSayWhatCannotBeCompletedOrMocked() {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("words", new FeederSpout(new Fields("word")));
        StormTopology topology = builder.createTopology();
        Testing.withLocalCluster(cluster -> {
            assertThatThrownBy(() -> Testing.completeTopology(cluster, topology))
                    .hasMessageContaining("(org.apache.storm.testing.FeederSpout) is not a CompletableSpout");
            CompleteTopologyParam param = new CompleteTopologyParam();
            param.setMockedSources(new MockedSources(Map.of("wrods", List.of())));
            assertThatThrownBy(() -> Testing.completeTopology(cluster, topology, param))
                    .hasMessage("there is no spout 'wrods' to mock; the spouts are words");
        });
    }

    @Test
    void shouldMakeTuples() {
        MkTupleParam param = new MkTupleParam();
        param.setComponent("spout");
        param.setStream("side");
        param.setFields("word", "count");
        Tuple tuple = Testing.testTuple(new Values("a", 1), param);
        assertThat(tuple.getStringByField("word")).isEqualTo("a");
        assertThat(tuple.getSourceComponent()).isEqualTo("spout");
        assertThat(tuple.getSourceStreamId()).isEqualTo("side");
        assertThat(Testing.testTuple(new Values("a")).getFields().toList()).containsExactly("field1");
    }

    private static List<List<Object>> counts(CapturedTopology<TrackedTopology> tracked) {
        return Testing.readTuples(tracked.capturer.getResults(), "count");
    }
}
