package io.updraft.cluster.coordinator;

import io.updraft.engine.testing.TestSpout;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Values;

/** A spout whose only tuple has a value that Kryo cannot write. */
final class UnserializableSpout extends TestSpout {
    private transient boolean emitted;

    @Override
    public void nextTuple() {
        if (!emitted) {
            emitted = true;
            out.emit(new Values(1, new Thread(() -> {})), 1);
        }
    }

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {
        declarer.declare(new Fields("number", "text"));
    }
}
