package org.apache.storm;

import java.util.Map;
import org.apache.storm.generated.SubmitOptions;
import org.apache.storm.testing.TrackedTopology;
import org.apache.storm.thrift.TException;

/** A cluster that takes tracked topologies as they are. */
@SuppressWarnings("try") // What closing may throw is Storm's interface's to say.
public interface ILocalClusterTrackedTopologyAware extends ILocalCluster {

    /**
     * Starts a topology.
     *
     * @param topologyName its name
     * @param conf its configuration
     * @param topology the topology
     * @return what ends it when closed
     * @throws TException when it is refused
     */
    ILocalTopology submitTopology(String topologyName, Map<String, Object> conf, TrackedTopology topology)
            throws TException;

    /**
     * Starts a topology.
     *
     * @param topologyName its name
     * @param conf its configuration
     * @param topology the topology
     * @param submitOpts whether its spouts are active
     * @return what ends it when closed
     * @throws TException when it is refused
     */
    ILocalTopology submitTopologyWithOpts(
            String topologyName, Map<String, Object> conf, TrackedTopology topology, SubmitOptions submitOpts)
            throws TException;
}
