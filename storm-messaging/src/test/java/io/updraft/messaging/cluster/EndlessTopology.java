package io.updraft.messaging.cluster;

import org.apache.storm.Config;
import org.apache.storm.StormSubmitter;
import org.apache.storm.topology.TopologyBuilder;

/** A spout and a bolt on two workers. Arguments: name, directory for files, class of the messaging context. */
public final class EndlessTopology {

    private static final int TIMEOUT_SECS = 10;
    private static final int PENDING = 1_000;

    private EndlessTopology() {}

    public static void main(String[] arguments) throws Exception {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("numbers", new EndlessSpout(arguments[1]), 1);
        builder.setBolt("sink", new WitnessBolt(arguments[1]), 1).shuffleGrouping("numbers");
        Config conf = new Config();
        conf.setNumWorkers(2);
        conf.setMaxSpoutPending(PENDING);
        conf.setMessageTimeoutSecs(TIMEOUT_SECS);
        conf.put(Config.STORM_MESSAGING_TRANSPORT, arguments[2]);
        StormSubmitter.submitTopology(arguments[0], conf, builder.createTopology());
    }
}
