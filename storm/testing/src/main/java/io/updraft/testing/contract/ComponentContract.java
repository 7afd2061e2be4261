package io.updraft.testing.contract;

import io.updraft.testing.contract.Violation.Rule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.topology.BoltDeclarer;
import org.apache.storm.topology.IBasicBolt;
import org.apache.storm.topology.IRichBolt;
import org.apache.storm.topology.IRichSpout;
import org.apache.storm.topology.IWindowedBolt;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Fields;
import org.apache.storm.utils.Utils;

/**
 * Runs a spout or a bolt under conditions that occur in production sooner or later, and reports violations. The conditions:
 * tuples that arrive twice; acks that come late, twice or without need; ticks at odd times; back-pressure at every emit;
 * instances that are closed half way and created again; and serialization of all values at every hop.
 *
 * <pre>{@code
 * ComponentContract.of(new MyBolt())
 *         .withInput("lines", new Fields("line"), new Values("a b"), new Values(""))
 *         .check()
 *         .assertClean();
 * }</pre>
 *
 * <p>Not safe for use by several threads. A component that needs an outside system (a broker, a database) needs it here too.
 */
public final class ComponentContract {
    private static final String COMPONENT = "component";

    private final Object component;
    private final Map<String, Object> conf = new HashMap<>();
    private final Map<String, Map<String, List<String>>> sources = new LinkedHashMap<>();
    private final List<BoltConditions.Input> inputs = new ArrayList<>();
    private final ViolationCollector findings = new ViolationCollector();
    private Duration limit = Duration.ofSeconds(5);
    private long seed = 1;
    private boolean replays;
    private boolean holds;

    private ComponentContract(Object component) {
        this.component = component;
    }

    /**
     * {@return a contract for a bolt}
     *
     * @param bolt the bolt; it is serialized, and copies of it are run
     */
    public static ComponentContract of(IRichBolt bolt) {
        return new ComponentContract(bolt);
    }

    /**
     * {@return a contract for a basic bolt}
     *
     * @param bolt the bolt; it is serialized, and copies of it are run
     */
    public static ComponentContract of(IBasicBolt bolt) {
        return new ComponentContract(bolt);
    }

    /**
     * {@return a contract for a windowed bolt}
     *
     * @param bolt the bolt; it is serialized, and copies of it are run
     */
    public static ComponentContract of(IWindowedBolt bolt) {
        return new ComponentContract(bolt);
    }

    /**
     * {@return a contract for a spout}
     *
     * @param spout the spout; it is serialized, and copies of it are run
     */
    public static ComponentContract of(IRichSpout spout) {
        return new ComponentContract(spout);
    }

    /**
     * Adds configuration.
     *
     * @param more configuration entries of a topology
     * @return this
     */
    public ComponentContract withConf(Map<String, Object> more) {
        conf.putAll(more);
        return this;
    }

    /**
     * Adds input tuples for a bolt, from the default stream of a component.
     *
     * @param source the component
     * @param fields the fields of its tuples
     * @param tuples the tuples
     * @return this
     */
    @SafeVarargs
    public final ComponentContract withInput(String source, Fields fields, List<Object>... tuples) {
        return withInput(source, Utils.DEFAULT_STREAM_ID, fields, tuples);
    }

    /**
     * Adds input tuples for a bolt.
     *
     * @param source the component that emits them
     * @param stream the stream
     * @param fields the fields of the stream
     * @param tuples the tuples
     * @return this
     * @throws IllegalArgumentException when a tuple does not have one value for each field
     */
    @SafeVarargs
    public final ComponentContract withInput(String source, String stream, Fields fields, List<Object>... tuples) {
        sources.computeIfAbsent(source, name -> new LinkedHashMap<>()).put(stream, fields.toList());
        for (List<Object> values : tuples) {
            if (values.size() != fields.size()) {
                throw new IllegalArgumentException(
                        "the tuple " + values + " must have one value for each field of " + fields.toList());
            }
            inputs.add(new BoltConditions.Input(source, stream, values));
        }
        return this;
    }

    /**
     * Sets how long a call may take.
     *
     * @param longest the limit; 5 s if this is not called
     * @return this
     */
    public ComponentContract withLimit(Duration longest) {
        limit = longest;
        return this;
    }

    /**
     * Sets the seed of random choices.
     *
     * @param value the seed; 1 if this is not called
     * @return this
     */
    public ComponentContract withSeed(long value) {
        seed = value;
        return this;
    }

    /**
     * Requires a spout to emit failed messages again, with the same ids and values.
     *
     * @return this
     */
    public ComponentContract replaying() {
        replays = true;
        return this;
    }

    /**
     * Allows a bolt to hold tuples at the end of the input, as in windows or partly filled batches. The bolt need not ack or
     * fail each of them then.
     *
     * @return this
     */
    public ComponentContract holdingTuples() {
        holds = true;
        return this;
    }

    /**
     * Runs the component.
     *
     * @return the report
     * @throws IllegalStateException when a bolt has no input
     */
    public ContractReport check() {
        findings.during("submission");
        InstanceRuns runs = new InstanceRuns(findings, limit, seed);
        StormTopology topology = topology();
        if (topology != null) {
            try (ComponentEnvironment stage = new ComponentEnvironment(topology, COMPONENT, conf)) {
                if (component instanceof IRichSpout) {
                    new SpoutConditions(stage, findings, runs, replays).check();
                } else {
                    new BoltConditions(stage, findings, runs, inputs, holds).check();
                }
            }
        }
        return new ContractReport(component.getClass().getName(), seed, findings.all(), runs.count());
    }

    /** Builds a topology around the component. Adds a violation and returns null if that is not possible. */
    private StormTopology topology() {
        if (!(component instanceof IRichSpout) && inputs.isEmpty()) {
            throw new IllegalStateException("a bolt needs input: call withInput(...)");
        }
        try {
            TopologyBuilder builder = new TopologyBuilder();
            if (component instanceof IRichSpout spout) {
                builder.setSpout(COMPONENT, spout);
            } else {
                BoltDeclarer bolt = declare(builder);
                sources.forEach((source, streams) -> {
                    builder.setSpout(source, new ComponentEnvironment.Source(streams));
                    streams.keySet().forEach(stream -> bolt.shuffleGrouping(source, stream));
                });
            }
            return builder.createTopology();
        } catch (RuntimeException e) {
            findings.add(
                    Rule.SERIALIZABLE_COMPONENT,
                    "the component cannot be submitted: " + e + (e.getCause() == null ? "" : ": " + e.getCause())
                            + "; make fields that are created in prepare or open transient");
            return null;
        }
    }

    private BoltDeclarer declare(TopologyBuilder builder) {
        if (component instanceof IRichBolt rich) {
            return builder.setBolt(COMPONENT, rich);
        }
        if (component instanceof IBasicBolt basic) {
            return builder.setBolt(COMPONENT, basic);
        }
        return builder.setBolt(COMPONENT, (IWindowedBolt) component);
    }
}
