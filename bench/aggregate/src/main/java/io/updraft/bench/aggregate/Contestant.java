package io.updraft.bench.aggregate;

import io.updraft.bench.aggregate.peer.FlinkPeer;
import io.updraft.bench.aggregate.peer.Peer;
import io.updraft.bench.aggregate.peer.StormPeer;
import io.updraft.bench.aggregate.peer.StreamsPeer;
import io.updraft.bench.aggregate.peer.UpdraftPeer;
import java.util.Locale;

/** Who can be asked for. */
enum Contestant {
    UPDRAFT(UpdraftPeer.class),
    FLINK(FlinkPeer.class),
    STREAMS(StreamsPeer.class),
    STORM(StormPeer.class);

    private final Class<? extends Peer> peer;

    Contestant(Class<? extends Peer> peer) {
        this.peer = peer;
    }

    String peerClass() {
        return peer.getName();
    }

    boolean ours() {
        return this == UPDRAFT;
    }

    String lowerCase() {
        return name().toLowerCase(Locale.ROOT);
    }
}
