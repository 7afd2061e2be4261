package io.updraft.engine.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.engine.testing.Feed;
import io.updraft.engine.testing.TestBolt;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.generated.Bolt;
import org.apache.storm.generated.ComponentObject;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.generated.Grouping;
import org.apache.storm.generated.JavaObject;
import org.apache.storm.generated.NullStruct;
import org.apache.storm.generated.ShellComponent;
import org.apache.storm.generated.SpoutSpec;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.spout.ShellSpout;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Fields;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Every refusal, word for word: these lines are all that a user gets to see. */
class TopologyCheckTest {

    private final TopologyBuilder topology = new TopologyBuilder();
    private final Map<String, Object> conf = new HashMap<>();

    @BeforeEach
    void setSpout() {
        topology.setSpout("s", Feed.of(1).spout());
    }

    private void shouldRefuse(String message) {
        shouldRefuse(topology.createTopology(), message);
    }

    private void shouldRefuse(StormTopology built, String message) {
        assertThatThrownBy(() -> Planner.plan("wc", "wc-1", built, conf, EngineSettings.of(conf)))
                .isInstanceOf(InvalidTopology.class)
                .hasMessage(message);
    }

    @Test
    void shouldRefuseATopologyWithoutASpout() {
        shouldRefuse(new TopologyBuilder().createTopology(), "topology 'wc' has no spout: add one with setSpout");
    }

    @Test
    void shouldRefuseASubscriptionToAnUnknownComponent() {
        topology.setBolt("b", TestBolt.ack()).shuffleGrouping("spuot");
        shouldRefuse("bolt 'b' subscribes to stream 'default' of component 'spuot', but there is no such component:"
                + " the components are [b, s]; correct 'spuot' or add it");
    }

    @Test
    void shouldRefuseASubscriptionToAnUnknownStream() {
        topology.setBolt("b", TestBolt.ack()).shuffleGrouping("s", "errors");
        shouldRefuse("bolt 'b' subscribes to stream 'errors' of component 's', but 's' declares only [default]:"
                + " subscribe to one of these or declare it in declareOutputFields");
    }

    @Test
    void shouldAcceptASubscriptionToTheSystemStreamOfAnyComponent() {
        topology.setBolt("a", TestBolt.ack()).shuffleGrouping("s").globalGrouping("s", "__system");
        topology.setBolt("b", TestBolt.ack()).fieldsGrouping("a", "__system", new Fields("event"));
        assertThatCode(() -> Planner.plan("wc", "wc-1", topology.createTopology(), conf, EngineSettings.of(conf)))
                .doesNotThrowAnyException();
    }

    @Test
    void shouldRefuseTheDeadLettersOfABolt() {
        topology.setBolt("a", TestBolt.ack()).shuffleGrouping("s");
        topology.setBolt("b", TestBolt.ack()).shuffleGrouping("a", "__dead_letter");
        shouldRefuse("bolt 'b' subscribes to stream '__dead_letter' of component 'a', but 'a' declares only [default]:"
                + " subscribe to one of these or declare it in declareOutputFields");
    }

    @Test
    void shouldRefuseAGroupingOnAFieldThatIsNotDeclared() {
        topology.setBolt("b", TestBolt.ack()).fieldsGrouping("s", new Fields("v", "word", "x"));
        shouldRefuse("bolt 'b' subscribes to stream 'default' of component 's' grouped by [word, x],"
                + " but the stream has only the fields [v]: group by one of these");
    }

    /** As in Storm, which lets the subscriptions decide. */
    @Test
    void shouldNotCareWhetherAStreamWasDeclaredDirect() {
        topology.setBolt("a", TestBolt.of((t, o) -> {}, d -> d.declareStream("to", true, new Fields("v"))))
                .directGrouping("s");
        topology.setBolt("b", TestBolt.ack()).shuffleGrouping("a", "to");
        assertThatCode(() -> Planner.plan("wc", "wc-1", topology.createTopology(), conf, EngineSettings.of(conf)))
                .doesNotThrowAnyException();
    }

    @Test
    void shouldRefuseComponentsOfTheSystem() {
        topology.setBolt("__mine", TestBolt.ack()).shuffleGrouping("s");
        shouldRefuse("component '__mine': an id must not be empty, and ids that start with '__' are reserved;"
                + " choose another id");
    }

    @Test
    void shouldRefuseAnEmptyId() {
        topology.setBolt("", TestBolt.ack()).shuffleGrouping("s");
        shouldRefuse("component '': an id must not be empty, and ids that start with '__' are reserved;"
                + " choose another id");
    }

    @Test
    void shouldRefuseStreamsOfTheSystem() {
        topology.setBolt("b", TestBolt.of((t, o) -> {}, d -> d.declareStream("__mine", new Fields("v"))))
                .shuffleGrouping("s");
        shouldRefuse("component 'b' declares stream '__mine': names that start with '__' are reserved;"
                + " choose another name");
    }

    @Test
    void shouldRefuseAFieldThatIsDeclaredTwice() {
        StormTopology built = topology.createTopology();
        built.get_spouts().get("s").get_common().get_streams().get("default").set_output_fields(List.of("v", "v"));
        shouldRefuse(built, "component 's' declares field 'v' twice on stream 'default': remove one");
    }

    @Test
    void shouldRefuseOneIdForASpoutAndABolt() {
        topology.setBolt("b", TestBolt.ack()).shuffleGrouping("s");
        StormTopology built = topology.createTopology();
        Bolt bolt = built.get_bolts().remove("b");
        built.get_bolts().put("s", bolt);
        shouldRefuse(built, "component 's' is both a spout and a bolt: give one of them another id");
    }

    @Test
    void shouldRefuseASpoutThatSubscribes() {
        StormTopology built = topology.createTopology();
        built.get_spouts()
                .get("s")
                .get_common()
                .put_to_inputs(new GlobalStreamId("s", "default"), Grouping.shuffle(new NullStruct()));
        shouldRefuse(built, "spout 's' subscribes to a stream: only bolts can subscribe");
    }

    @Test
    void shouldRefuseAParallelismOfZero() {
        StormTopology built = topology.createTopology();
        built.get_spouts().get("s").get_common().set_parallelism_hint(0);
        shouldRefuse(built, "component 's' has a parallelism hint of 0: give it at least 1 executor");
    }

    @Test
    void shouldRefuseZeroTasks() {
        topology.setBolt("b", TestBolt.ack()).shuffleGrouping("s").addConfiguration(Config.TOPOLOGY_TASKS, 0);
        shouldRefuse("component 'b': topology.tasks is '0': it must be a whole number of at least 1");
    }

    @Test
    void shouldRefuseTasksThatAreNoNumber() {
        conf.put(Config.TOPOLOGY_TASKS, "many");
        shouldRefuse("component 's': topology.tasks is 'many': it must be a whole number of at least 1");
    }

    @Test
    void shouldRefuseAMaxTaskParallelismOfZero() {
        conf.put(Config.TOPOLOGY_MAX_TASK_PARALLELISM, 0);
        shouldRefuse("component 's': topology.max.task.parallelism is '0': it must be a whole number of at least 1");
    }

    @Test
    void shouldRefuseANegativeMaxSpoutPending() {
        topology.setSpout("t", Feed.of(1).spout()).addConfiguration(Config.TOPOLOGY_MAX_SPOUT_PENDING, -1);
        shouldRefuse("component 't': topology.max.spout.pending is '-1': it must be a whole number of at least 0");
    }

    @Test
    void shouldRefuseATickFrequencyThatIsNoNumber() {
        topology.setBolt("b", TestBolt.ack())
                .shuffleGrouping("s")
                .addConfiguration(Config.TOPOLOGY_TICK_TUPLE_FREQ_SECS, "often");
        shouldRefuse(
                "component 'b': topology.tick.tuple.freq.secs is 'often': it must be a whole number of at least 0");
    }

    @Test
    void shouldRefuseAConfigurationThatIsNoJson() {
        StormTopology built = topology.createTopology();
        built.get_spouts().get("s").get_common().set_json_conf("{oops");
        shouldRefuse(built, "component 's': its configuration is not a JSON object");
        built.get_spouts().get("s").get_common().set_json_conf("[1]");
        shouldRefuse(built, "component 's': its configuration is not a JSON object");
    }

    @Test
    void shouldMakeAShellSpoutOfAShellComponent() {
        StormTopology built = topology.createTopology();
        SpoutSpec spec = built.get_spouts().get("s");
        spec.set_spout_object(ComponentObject.shell(new ShellComponent("python3", "spout.py")));
        assertThat(Planner.plan("wc", "wc-1", built, conf, EngineSettings.of(conf))
                        .component("s")
                        .newInstance()
                        .get())
                .isInstanceOf(ShellSpout.class);
    }

    @Test
    void shouldRefuseABoltThatIsNone() {
        topology.setBolt("b", TestBolt.ack()).shuffleGrouping("s");
        StormTopology built = topology.createTopology();
        built.get_bolts().get("b").set_bolt_object(built.get_spouts().get("s").get_spout_object());
        Object spout = Feed.of(1).spout();
        shouldRefuse(
                built,
                "component 'b' is a " + spout.getClass().getName() + ", which is not a org.apache.storm.task.IBolt");
    }

    @Test
    void shouldRefuseAComponentThatCannotBeMade() {
        StormTopology built = topology.createTopology();
        built.get_spouts()
                .get("s")
                .set_spout_object(ComponentObject.java_object(new JavaObject("no.such.Spout", List.of())));
        shouldRefuse(
                built,
                "component 's' cannot be created: there is no class no.such.Spout"
                        + " with a constructor for its arguments");
    }
}
