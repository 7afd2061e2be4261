package io.updraft.console.operator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.testing.TestWordSpout;
import org.apache.storm.topology.BasicOutputCollector;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseBasicBolt;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.junit.jupiter.api.Test;

final class TopologyGraphTest {
    @Test
    void shouldPlaceComponentsFromLeftToRightAndConnectThem() {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("words", new TestWordSpout());
        builder.setBolt("count", new Pass()).fieldsGrouping("words", new Fields("word"));
        builder.setBolt("sink", new Pass()).shuffleGrouping("count").globalGrouping("words");
        Map<String, Object> graph = TopologyGraph.of(builder.createTopology()).json();

        Map<String, Map<String, Object>> nodes = new HashMap<>();
        list(graph.get("nodes")).forEach(node -> nodes.put(String.valueOf(node.get("id")), node));
        assertThat(nodes.keySet()).containsExactlyInAnyOrder("words", "count", "sink");
        assertThat(nodes.get("count")).containsEntry("type", Pass.class.getName());
        assertThat(nodes.get("words"))
                .containsEntry("kind", "spout")
                .containsEntry("type", TestWordSpout.class.getName());
        assertThat(x(nodes, "words")).isLessThan(x(nodes, "count"));
        assertThat(x(nodes, "count")).isLessThan(x(nodes, "sink"));

        List<Map<String, Object>> edges = list(graph.get("edges"));
        assertThat(edges)
                .extracting(edge ->
                        edge.get("from") + " " + edge.get("grouping") + edge.get("fields") + " " + edge.get("to"))
                .containsExactlyInAnyOrder("words fields[word] count", "count shuffle[] sink", "words global[] sink");
        assertThat(edges)
                .allSatisfy(edge -> assertThat((List<?>) edge.get("points")).hasSizeGreaterThanOrEqualTo(2));
    }

    @Test
    void shouldLayOutCyclesAndLoneComponents() {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("alone", new TestWordSpout());
        builder.setSpout("words", new TestWordSpout());
        builder.setBolt("first", new Pass()).shuffleGrouping("words").shuffleGrouping("second");
        builder.setBolt("second", new Pass()).shuffleGrouping("first").shuffleGrouping("second");
        Map<String, Object> graph = TopologyGraph.of(builder.createTopology()).json();
        assertThat(list(graph.get("nodes"))).hasSize(4);
        assertThat(list(graph.get("edges"))).hasSize(4);
    }

    @Test
    void shouldNotReadAClassNameFromOtherBytes() {
        assertThat(ComponentType.ofSerialized(new byte[] {1, 2, 3})).isNull();
        assertThat(ComponentType.ofSerialized(new byte[0])).isNull();
    }

    private static long x(Map<String, Map<String, Object>> nodes, String id) {
        return ((Number) nodes.get(id).get("x")).longValue();
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> list(Object value) {
        return (List<Map<String, Object>>) value;
    }

    /** A bolt that emits nothing. */
    private static final class Pass extends BaseBasicBolt {
        private static final long serialVersionUID = 1L;

        @Override
        public void execute(Tuple input, BasicOutputCollector collector) {}

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("word"));
        }
    }
}
