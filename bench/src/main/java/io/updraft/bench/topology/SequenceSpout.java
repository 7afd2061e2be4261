package io.updraft.bench.topology;

import io.updraft.bench.spec.Shape;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Values;

/**
 * Emits 0, 1, 2, ... {@link #LIMIT} - 1, and starts again at 0. With several tasks of the next bolt, a number has a key: its
 * remainder by {@link #KEYS}.
 */
final class SequenceSpout extends CountingSpout {

    /** The exclusive upper bound of emitted numbers. */
    static final int LIMIT = 1000;

    /** The number of different keys. */
    static final int KEYS = 100;

    /** The name of the field with the key. */
    static final String KEY = "key";

    private static final long serialVersionUID = 1L;

    private final boolean keyed;

    SequenceSpout(String runId, Shape shape) {
        super(runId, shape.acked());
        this.keyed = shape.bolts() > 1;
    }

    @Override
    Object message(long sequence) {
        return (int) (sequence % LIMIT);
    }

    /** {@return the key of a number} */
    static int key(int number) {
        return number % KEYS;
    }

    @Override
    Values values(Object message) {
        return keyed ? new Values(message, key((int) message)) : super.values(message);
    }

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {
        if (keyed) {
            declarer.declare(new Fields(MESSAGE, KEY));
        } else {
            super.declareOutputFields(declarer);
        }
    }
}
