package org.apache.storm;

import java.util.Map;
import org.apache.storm.generated.SubmitOptions;
import org.apache.storm.testing.TrackedTopology;
import org.apache.storm.thrift.TException;

/** A cluster that accepts tracked topologies directly. */
@SuppressWarnings("try") // Storm's interface declares what close may throw
public interface ILocalClusterTrackedTopologyAware extends ILocalCluster {

    /**
     * Starts a topology.
     *
     * @param topologyName the topology's name
     * @param conf the topology's configuration
     * @param topology the topology
     * @return a handle that ends the topology when closed
     * @throws TException when the topology is refused
     */
    ILocalTopology submitTopology(String topologyName, Map<String, Object> conf, TrackedTopology topology)
            throws TException;

    /**
     * Starts a topology.
     *
     * @param topologyName the topology's name
     * @param conf the topology's configuration
     * @param topology the topology
     * @param submitOpts whether its spouts are active
     * @return a handle that ends the topology when closed
     * @throws TException when the topology is refused
     */
    ILocalTopology submitTopologyWithOpts(
            String topologyName, Map<String, Object> conf, TrackedTopology topology, SubmitOptions submitOpts)
            throws TException;
}
