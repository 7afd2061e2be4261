package io.updraft.testing.contract;

import io.updraft.engine.plan.EngineSettings;
import io.updraft.engine.plan.Plan;
import io.updraft.engine.plan.Planner;
import io.updraft.storm.context.TopologyContexts;
import io.updraft.testing.contract.Violation.Rule;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.Constants;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.GeneralTopologyContext;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichSpout;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.TupleImpl;
import org.apache.storm.utils.Utils;

/** A topology around one component: its environment in a run. */
final class ComponentEnvironment implements AutoCloseable {
    private final Plan plan;
    private final String component;
    private final TopologyContexts contexts = new TopologyContexts();
    private final GeneralTopologyContext general;

    ComponentEnvironment(StormTopology topology, String component, Map<String, Object> conf) {
        Map<String, Object> whole = new HashMap<>(Utils.readDefaultConfig());
        whole.putAll(conf);
        this.plan = Planner.plan("contract", "contract-1-0", topology, whole, EngineSettings.of(whole));
        this.component = component;
        this.general = contexts.tupleContext(plan);
    }

    Map<String, Object> conf() {
        return plan.component(component).conf();
    }

    /** Creates a new instance by deserialization, as a worker does. */
    Object instance() {
        return plan.component(component).newInstance().get();
    }

    TopologyContext context() {
        return contexts.create(plan, plan.component(component), task(), new HashMap<>());
    }

    private int task() {
        return plan.component(component).taskIds()[0];
    }

    Tuple tuple(String source, String stream, List<Object> values) {
        return new TupleImpl(general, values, source, plan.component(source).taskIds()[0], stream);
    }

    Tuple tick() {
        return new TupleImpl(
                general,
                List.of(1),
                Constants.SYSTEM_COMPONENT_ID,
                (int) Constants.SYSTEM_TASK_ID,
                Constants.SYSTEM_TICK_STREAM_ID);
    }

    /** Returns whether the component may emit these values on this stream. Adds a violation if not. */
    boolean mayEmit(String stream, List<Object> values, boolean direct, ViolationCollector findings) {
        return plan.component(component).outputs().stream()
                .filter(output -> output.streamId().equals(stream))
                .findFirst()
                .map(output -> hasFields(stream, output.fields(), values, findings))
                .orElseGet(() -> {
                    findings.add(
                            Rule.EMITS_WHAT_IT_DECLARES,
                            "a tuple was emitted " + (direct ? "directly " : "") + "on stream '" + stream
                                    + "', which is not declared");
                    return false;
                });
    }

    private static boolean hasFields(String stream, Fields fields, List<Object> values, ViolationCollector findings) {
        if (fields.size() != values.size()) {
            findings.add(
                    Rule.EMITS_WHAT_IT_DECLARES,
                    "a tuple of " + values.size() + " values was emitted on stream '" + stream + "' with the fields "
                            + fields.toList());
        }
        return fields.size() == values.size();
    }

    @Override
    public void close() {
        contexts.close();
    }

    /** The source of the component's input streams; never run. */
    static final class Source extends BaseRichSpout {
        private static final long serialVersionUID = 1;
        private final Map<String, List<String>> streams;

        Source(Map<String, List<String>> streams) {
            this.streams = new HashMap<>(streams);
        }

        @Override
        public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector collector) {
            throw new IllegalStateException("this spout only declares streams and is never run");
        }

        @Override
        public void nextTuple() {
            throw new IllegalStateException("this spout only declares streams and is never run");
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            streams.forEach((stream, fields) -> declarer.declareStream(stream, new Fields(fields)));
        }
    }
}
