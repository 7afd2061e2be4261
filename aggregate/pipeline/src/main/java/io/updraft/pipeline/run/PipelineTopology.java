package io.updraft.pipeline.run;

import io.updraft.pipeline.plan.RoutingPlan;
import io.updraft.pipeline.plan.RunPlan;
import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.topology.TopologyBuilder;

/** The topology of a run: its components and their connections. */
final class PipelineTopology {

    private static final String SOURCE = "source-0";
    private static final int TICK_SECS = 1;

    private PipelineTopology() {}

    /** Returns the component that receives the events of the source. */
    static String workers(RunPlan plan) {
        return plan instanceof RoutingPlan ? "route" : "aggregate";
    }

    static StormTopology of(RunPlan plan) {
        TopologyBuilder builder = new TopologyBuilder();
        boolean routes = plan instanceof RoutingPlan;
        builder.setSpout(SOURCE, new SourceSpout(), 1);
        builder.setBolt(
                        workers(plan),
                        routes ? new RouteTaskBolt() : new AggregateTaskBolt(),
                        plan.settings().parallelism())
                .addConfiguration(Config.TOPOLOGY_TICK_TUPLE_FREQ_SECS, TICK_SECS)
                .directGrouping(SOURCE);
        if (!routes) {
            builder.setBolt("write", new WriteTaskBolt(), 1)
                    .addConfiguration(Config.TOPOLOGY_TICK_TUPLE_FREQ_SECS, TICK_SECS)
                    .globalGrouping(workers(plan));
        }
        return builder.createTopology();
    }
}
