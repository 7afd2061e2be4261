package io.updraft.console.cluster;

import org.apache.storm.generated.ClusterSummary;
import org.apache.storm.generated.ComponentPageInfo;
import org.apache.storm.generated.GetInfoOptions;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.generated.NumErrorsChoice;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.generated.TopologyInfo;
import org.apache.storm.thrift.TException;

/** The calls that read the state of a cluster. */
final class ClusterCalls {
    private ClusterCalls() {}

    private static GetInfoOptions options(NumErrorsChoice errors) {
        GetInfoOptions options = new GetInfoOptions();
        options.set_num_err_choice(errors);
        return options;
    }

    /** Reads the daemons, and all topologies in short. */
    record Cluster() implements NimbusCall<ClusterSummary> {
        @Override
        public ClusterSummary on(Nimbus.Iface nimbus) throws TException {
            return nimbus.getClusterInfo();
        }
    }

    /** Reads the workers and executors of a topology, their statistics, and the newest error of each component. */
    record Topology(String topologyId) implements NimbusCall<TopologyReading> {
        @Override
        public TopologyReading on(Nimbus.Iface nimbus) throws TException {
            return new TopologyReading(
                    System.currentTimeMillis(),
                    System.nanoTime(),
                    nimbus.getTopologyPageInfo(topologyId, StreamCounts.TEN_MINUTES, false),
                    nimbus.getTopologyInfoWithOpts(topologyId, options(NumErrorsChoice.ONE)));
        }
    }

    /** Reads all errors of a topology that the cluster keeps. */
    record Errors(String topologyId) implements NimbusCall<TopologyInfo> {
        @Override
        public TopologyInfo on(Nimbus.Iface nimbus) throws TException {
            return nimbus.getTopologyInfoWithOpts(topologyId, options(NumErrorsChoice.ALL));
        }
    }

    /** Reads the streams and errors of a component. */
    record Component(String topologyId, String component) implements NimbusCall<ComponentPageInfo> {
        @Override
        public ComponentPageInfo on(Nimbus.Iface nimbus) throws TException {
            return nimbus.getComponentPageInfo(topologyId, component, StreamCounts.ALL_TIME, false);
        }
    }

    /** Reads the components of a topology and how they are connected. */
    record Structure(String topologyId) implements NimbusCall<StormTopology> {
        @Override
        public StormTopology on(Nimbus.Iface nimbus) throws TException {
            return nimbus.getUserTopology(topologyId);
        }

        @Override
        public boolean isConstant() {
            return true;
        }
    }
}
