package io.updraft.pipeline.run;

import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.topology.TopologyBuilder;

/** Builds the topology of a run from its components. */
final class PipelineTopology {

    static final String AGGREGATE = "aggregate";
    static final String ROUTE = "route";
    static final String WRITE = "write";

    private static final int TICK_SECS = 1;

    private PipelineTopology() {}

    /** Returns the component that receives the events of the sources. */
    static String workers(RunPlan plan) {
        return plan.route() == null ? AGGREGATE : ROUTE;
    }

    static StormTopology build(RunState state) {
        TopologyBuilder builder = new TopologyBuilder();
        boolean routes = state.plan().route() != null;
        var workers = builder.setBolt(
                        workers(state.plan()),
                        routes ? new RouteBolt(state.id()) : new AggregateBolt(state.id()),
                        state.plan().parallelism())
                .addConfiguration(Config.TOPOLOGY_TICK_TUPLE_FREQ_SECS, TICK_SECS);
        for (int i = 0; i < state.plan().sources().size(); i++) {
            String source = "source-" + i;
            builder.setSpout(source, new SourceSpout(state.id(), i), 1);
            workers.directGrouping(source);
        }
        if (routes) {
            return builder.createTopology();
        }
        builder.setBolt(WRITE, new WriteBolt(state.id()), 1)
                .addConfiguration(Config.TOPOLOGY_TICK_TUPLE_FREQ_SECS, TICK_SECS)
                .globalGrouping(AGGREGATE);
        return builder.createTopology();
    }
}
