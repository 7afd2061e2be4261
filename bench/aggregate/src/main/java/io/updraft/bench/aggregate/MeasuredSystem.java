package io.updraft.bench.aggregate;

import java.util.Locale;

/** The systems that {@code --systems} can name. */
enum MeasuredSystem {
    UPDRAFT(UpdraftPeer.class, false),
    FLINK(FlinkPeer.class, true),
    STREAMS(StreamsPeer.class, true),
    STORM(StormPeer.class, true);

    private final Class<? extends MeasuredPeer> peer;
    private final boolean other;

    MeasuredSystem(Class<? extends MeasuredPeer> peer, boolean other) {
        this.peer = peer;
        this.other = other;
    }

    String peerClass() {
        return peer.getName();
    }

    /**
     * Whether this is another system that does the same job, and so counts in the comparison. It runs with the Kafka client
     * version of Kafka Streams instead of Updraft's.
     */
    boolean isOther() {
        return other;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
