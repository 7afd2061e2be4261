package io.updraft.pipeline.run;

import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.topology.TopologyBuilder;

/** The components of a run and how they are joined. */
final class PipelineTopology {

    static final String AGGREGATE = "aggregate";
    static final String WRITE = "write";

    private static final int TICK_SECS = 1;

    private PipelineTopology() {}

    static StormTopology build(RunState state) {
        TopologyBuilder builder = new TopologyBuilder();
        var aggregate = builder.setBolt(
                        AGGREGATE, new AggregateBolt(state.id()), state.plan().parallelism())
                .addConfiguration(Config.TOPOLOGY_TICK_TUPLE_FREQ_SECS, TICK_SECS);
        for (int i = 0; i < state.plan().sources().size(); i++) {
            String source = "source-" + i;
            builder.setSpout(source, new SourceSpout(state.id(), i), 1);
            aggregate.directGrouping(source);
        }
        builder.setBolt(WRITE, new WriteBolt(state.id()), 1)
                .addConfiguration(Config.TOPOLOGY_TICK_TUPLE_FREQ_SECS, TICK_SECS)
                .globalGrouping(AGGREGATE);
        return builder.createTopology();
    }
}
