package org.apache.storm;

import io.updraft.engine.testing.TestBolt;
import org.apache.storm.tuple.Tuple;

/** A bolt that acks each tuple when the next one arrives. */
@SuppressWarnings("serial")
final class LaterAckBolt extends TestBolt {
    private transient Tuple first;

    @Override
    public void execute(Tuple input) {
        if (first == null) {
            first = input;
            return;
        }
        out.ack(first);
        out.ack(input);
        first = null;
    }
}
