package io.updraft.cluster.local;

import io.updraft.engine.testing.TestSpout;
import org.apache.storm.tuple.Values;

/** A spout whose only tuple has a value that Kryo cannot write. */
@SuppressWarnings("serial")
final class UnserializableSpout extends TestSpout {
    private transient boolean emitted;

    UnserializableSpout() {
        super("number", "text");
    }

    @Override
    public void nextTuple() {
        if (!emitted) {
            emitted = true;
            out.emit(new Values(1, new Thread(() -> {})), 1);
        }
    }
}
