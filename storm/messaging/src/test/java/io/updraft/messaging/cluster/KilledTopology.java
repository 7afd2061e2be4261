package io.updraft.messaging.cluster;

import java.util.HashMap;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.StormSubmitter;
import org.apache.storm.topology.TopologyBuilder;

/**
 * Two streams between two workers. One is acked, and survives the death of its bolt's worker. The other is a flood without
 * acks: without back-pressure between workers, the queue of its slow bolt would soon reach the limit at which Storm drops
 * tuples. Arguments: name, directory for files, class of the messaging context, then {@code key=value} of the configuration, or
 * of the workers' environment.
 */
public final class KilledTopology {

    /**
     * Several times the capacity of the queues, at twice the pace of the slow bolt. The flood has no fixed end: a worker reports
     * its load every five seconds, and may find the flooded queue empty at that moment, before the spout emits again.
     */
    private static final int LEAST = 20_000;

    private static final int OVERFLOW_LIMIT = 6_000;
    private static final int TIMEOUT_SECS = 5;
    private static final int PENDING = 1_000;

    private KilledTopology() {}

    public static void main(String[] arguments) throws Exception {
        String directory = arguments[1];
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("numbers", new EndlessSpout(directory), 1);
        builder.setBolt("sink", new ThreadNameBolt(directory), 1).shuffleGrouping("numbers");
        builder.setSpout("flood", new FloodSpout(LEAST, directory + "/load", directory + "/all"), 1);
        builder.setBolt("slow", new SlowBolt(directory + "/all"), 1)
                .customGrouping("flood", new LoadReportGrouping(directory + "/load"));
        Config conf = new Config();
        conf.setNumWorkers(2);
        conf.setMaxSpoutPending(PENDING);
        conf.setMessageTimeoutSecs(TIMEOUT_SECS);
        // Executors sleep when there is nothing to do, where they would look again a thousand times before.
        conf.put(Config.TOPOLOGY_BOLT_WAIT_PROGRESSIVE_LEVEL2_COUNT, 1);
        conf.put(Config.TOPOLOGY_BACKPRESSURE_WAIT_PROGRESSIVE_LEVEL2_COUNT, 1);
        conf.put(Config.TOPOLOGY_EXECUTOR_RECEIVE_BUFFER_SIZE, 1_024);
        conf.put(Config.TOPOLOGY_EXECUTOR_OVERFLOW_LIMIT, OVERFLOW_LIMIT);
        conf.put(Config.STORM_MESSAGING_TRANSPORT, arguments[2]);
        Map<String, Object> environment = new HashMap<>();
        for (int i = 3; i < arguments.length; i++) {
            String[] pair = arguments[i].split("=", 2);
            (pair[0].startsWith("topology.") ? conf : environment).put(pair[0], pair[1]);
        }
        conf.setEnvironment(environment);
        StormSubmitter.submitTopology(arguments[0], conf, builder.createTopology());
    }
}
