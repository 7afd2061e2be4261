package io.updraft.cli.programs;

import org.apache.storm.Config;
import org.apache.storm.StormSubmitter;
import org.apache.storm.topology.TopologyBuilder;

/** Subscribes to a component that does not exist. */
public final class MissingComponent {
    private MissingComponent() {}

    /**
     * Runs the program.
     *
     * @param args none
     * @throws Exception when the topology cannot be submitted
     */
    public static void main(String[] args) throws Exception {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("numbers", new CliPrograms.Numbers());
        builder.setBolt("sink", new CliPrograms.Sink(true, null)).shuffleGrouping("nmbers");
        StormSubmitter.submitTopology("missing", new Config(), builder.createTopology());
    }
}
