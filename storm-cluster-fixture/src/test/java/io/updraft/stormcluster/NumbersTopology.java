package io.updraft.stormcluster;

import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.StormSubmitter;
import org.apache.storm.topology.TopologyBuilder;

/** A spout of numbers and a bolt that acks them, on two workers. Arguments: name, number of numbers, output file. */
public final class NumbersTopology {

    private NumbersTopology() {}

    public static void main(String[] arguments) throws Exception {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("numbers", new NumbersSpout(Integer.parseInt(arguments[1]), arguments[2]), 1);
        builder.setBolt("sink", new AckingBolt(), 1).shuffleGrouping("numbers");
        Config conf = new Config();
        conf.setNumWorkers(2);
        conf.setMaxSpoutPending(100);
        StormSubmitter.submitTopology(arguments[0], Map.copyOf(conf), builder.createTopology());
    }
}
