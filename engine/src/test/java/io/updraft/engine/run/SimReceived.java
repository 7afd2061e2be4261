package io.updraft.engine.run;

import org.apache.storm.tuple.Tuple;

/** The model's view of one tuple that a bolt received. */
final class SimReceived {

    final Tuple tuple;

    /** What was emitted, or null for a dead letter. */
    final SimSent sent;

    /** The message that was given up, or null. */
    final SimMessage letterOf;

    /** Whether it was acked or failed. */
    boolean settled;

    SimReceived(Tuple tuple, SimSent sent, SimMessage letterOf) {
        this.tuple = tuple;
        this.sent = sent;
        this.letterOf = letterOf;
    }

    int hops() {
        return sent == null ? Integer.MAX_VALUE / 2 : sent.hops;
    }
}
