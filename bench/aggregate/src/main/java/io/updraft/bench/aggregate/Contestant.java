package io.updraft.bench.aggregate;

import io.updraft.bench.aggregate.peer.BarePeer;
import io.updraft.bench.aggregate.peer.ConsumerPeer;
import io.updraft.bench.aggregate.peer.FlinkPeer;
import io.updraft.bench.aggregate.peer.Peer;
import io.updraft.bench.aggregate.peer.ReaderPeer;
import io.updraft.bench.aggregate.peer.StormPeer;
import io.updraft.bench.aggregate.peer.StreamsPeer;
import io.updraft.bench.aggregate.peer.UpdraftPeer;
import java.util.Locale;

/** The systems that {@code --systems} can name. */
enum Contestant {
    UPDRAFT(UpdraftPeer.class, Role.OURS),
    BARE(BarePeer.class, Role.LIMIT),
    CONSUMER(ConsumerPeer.class, Role.LIMIT),
    READER(ReaderPeer.class, Role.LIMIT),
    FLINK(FlinkPeer.class, Role.OTHER),
    STREAMS(StreamsPeer.class, Role.OTHER),
    STORM(StormPeer.class, Role.OTHER);

    private enum Role {
        OURS,
        /** Not a system, but a lower bound: work that no system can avoid. */
        LIMIT,
        OTHER
    }

    private final Class<? extends Peer> peer;
    private final Role role;

    Contestant(Class<? extends Peer> peer, Role role) {
        this.peer = peer;
        this.role = role;
    }

    String peerClass() {
        return peer.getName();
    }

    /** Whether this is another system that does the same job, and so counts in the comparison. */
    boolean isOther() {
        return role == Role.OTHER;
    }

    /** Whether the system runs with the Kafka client version of Kafka Streams instead of Updraft's. */
    boolean hasPeersClient() {
        return role == Role.OTHER;
    }

    /** Whether the system writes results. */
    boolean writes() {
        return this != CONSUMER && this != READER;
    }

    String lowerCase() {
        return name().toLowerCase(Locale.ROOT);
    }
}
