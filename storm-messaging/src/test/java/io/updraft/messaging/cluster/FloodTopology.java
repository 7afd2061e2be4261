package io.updraft.messaging.cluster;

import org.apache.storm.Config;
import org.apache.storm.StormSubmitter;
import org.apache.storm.topology.TopologyBuilder;

/**
 * A spout that floods a slow bolt in another worker, un-acked. Without back-pressure from worker to worker the bolt's queue
 * would soon reach the limit from which Storm drops tuples. Arguments: name, file to leave, class of the messaging context.
 */
public final class FloodTopology {

    private static final int COUNT = 300_000;
    private static final int OVERFLOW_LIMIT = 60_000;

    private FloodTopology() {}

    public static void main(String[] arguments) throws Exception {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("flood", new FloodSpout(COUNT), 1);
        builder.setBolt("slow", new SlowBolt(COUNT, arguments[1]), 1).shuffleGrouping("flood");
        Config conf = new Config();
        conf.setNumWorkers(2);
        conf.setNumAckers(0);
        conf.put(Config.TOPOLOGY_EXECUTOR_RECEIVE_BUFFER_SIZE, 1_024);
        conf.put(Config.TOPOLOGY_EXECUTOR_OVERFLOW_LIMIT, OVERFLOW_LIMIT);
        conf.put(Config.STORM_MESSAGING_TRANSPORT, arguments[2]);
        StormSubmitter.submitTopology(arguments[0], conf, builder.createTopology());
    }
}
