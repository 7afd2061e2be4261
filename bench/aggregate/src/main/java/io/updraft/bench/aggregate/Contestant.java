package io.updraft.bench.aggregate;

import io.updraft.bench.aggregate.peer.FlinkPeer;
import io.updraft.bench.aggregate.peer.StormPeer;
import io.updraft.bench.aggregate.peer.StreamsPeer;

/** Who can be asked for. */
enum Contestant {
    FLINK(FlinkPeer.class),
    STREAMS(StreamsPeer.class),
    STORM(StormPeer.class);

    private final Class<?> peer;

    Contestant(Class<?> peer) {
        this.peer = peer;
    }

    String peerClass() {
        return peer.getName();
    }

    boolean ours() {
        return false;
    }
}
