package io.updraft.cluster.soak;

import io.updraft.engine.testing.TestBolt;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;

/** Emits two tuples for each, so that a tree is complete only when both, in any worker, were acked. */
@SuppressWarnings("serial")
final class SoakSplitBolt extends TestBolt {
    static final int PARTS = 2;

    SoakSplitBolt() {
        super("source", "number", "part", "text");
    }

    @Override
    public void execute(Tuple tuple) {
        for (int part = 0; part < PARTS; part++) {
            out.emit(tuple, new Values(tuple.getValue(0), tuple.getValue(1), part, tuple.getValue(2)));
        }
        out.ack(tuple);
    }
}
