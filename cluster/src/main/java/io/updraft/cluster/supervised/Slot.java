package io.updraft.cluster.supervised;

import org.apache.storm.generated.NodeInfo;

/** A slot for a worker: the id of the Supervisor, and the port of the slot. */
record Slot(String node, int port) {

    static Slot of(NodeInfo info) {
        return new Slot(info.get_node(), info.get_port().iterator().next().intValue());
    }
}
