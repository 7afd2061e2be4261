package io.updraft.cluster.codec;

import io.updraft.engine.plan.ComponentPlan;
import io.updraft.engine.plan.EngineSettings;
import io.updraft.engine.plan.Plan;
import io.updraft.engine.plan.Planner;
import io.updraft.engine.plan.StreamPlan;
import io.updraft.engine.testing.TestBolt;
import io.updraft.engine.testing.TestSpout;
import io.updraft.engine.tuple.Origin;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.storm.Config;
import org.apache.storm.task.GeneralTopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Fields;
import org.apache.storm.utils.Utils;

/** Two spouts and two bolts with a few streams, all of them on worker 0. */
@SuppressWarnings("serial")
final class TestPlan {

    static final int MAX_FRAME = 64 * 1024 * 1024;

    final Plan plan;
    final GeneralTopologyContext context;

    private TestPlan(Map<String, Object> overrides) {
        Map<String, Object> conf = new HashMap<>(Utils.readDefaultConfig());
        conf.put(Config.TOPOLOGY_KRYO_REGISTER, List.of("[I"));
        conf.putAll(overrides);
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("numbers", new Spout(), 3);
        builder.setSpout("words", new Spout(), 2);
        builder.setBolt("split", new Bolt(), 4).shuffleGrouping("words").shuffleGrouping("numbers", "other");
        builder.setBolt("join", new Bolt(), 2).shuffleGrouping("numbers").shuffleGrouping("split", "other");
        plan = Planner.plan("test", "test-1", builder.createTopology(), conf, EngineSettings.of(conf));
        context = new GeneralTopologyContext(
                plan.topology(),
                conf,
                Map.of(),
                Map.of(),
                Map.of("words", Map.of("default", new Fields("v"))),
                "test-1");
    }

    static TestPlan create() {
        return new TestPlan(Map.of());
    }

    static TestPlan with(Map<String, Object> overrides) {
        return new TestPlan(overrides);
    }

    BatchEncoder encoder(Consumer<RefusedTuple> refused) {
        return encoder(MAX_FRAME, refused);
    }

    BatchEncoder encoder(int maxFrame, Consumer<RefusedTuple> refused) {
        return new BatchEncoder(plan, maxFrame, maxFrame, refused);
    }

    BatchDecoder decoder(Consumer<RefusedTuple> refused) {
        return new BatchDecoder(plan, 0, context, refused);
    }

    /** Every stream of every task. */
    List<Origin> origins() {
        List<Origin> origins = new ArrayList<>();
        for (ComponentPlan component : plan.components()) {
            for (int task : component.taskIds()) {
                for (StreamPlan stream : component.outputs()) {
                    origins.add(Origin.of(component.id(), stream.streamId(), task, stream.fields(), null));
                }
            }
        }
        return origins;
    }

    Origin origin(String component, String stream) {
        return origins().stream()
                .filter(o -> o.componentId().equals(component) && o.streamId().equals(stream))
                .findFirst()
                .orElseThrow();
    }

    /** A task of a component. */
    int task(String component, int index) {
        return plan.component(component).taskIds()[index];
    }

    /** An executor of a component. */
    int executor(String component, int index) {
        return plan.component(component).executors()[index];
    }

    private static void declare(OutputFieldsDeclarer declarer) {
        declarer.declare(new Fields("v"));
        declarer.declareStream("other", new Fields("a", "b"));
        declarer.declareStream("mit Umlauten: äöü, und 漢字", new Fields("v"));
    }

    /** Emits nothing. */
    private static final class Spout extends TestSpout {
        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declare(declarer);
        }
    }

    private static final class Bolt extends TestBolt {
        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declare(declarer);
        }
    }
}
