package io.updraft.cluster.supervised;

import org.apache.storm.generated.NodeInfo;

/** A slot for a worker: the id of the Supervisor, and the port of the slot. */
record SupervisorSlot(String node, int port) {

    static SupervisorSlot of(NodeInfo info) {
        return new SupervisorSlot(
                info.get_node(), info.get_port().iterator().next().intValue());
    }
}
