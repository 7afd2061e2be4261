package io.updraft.storm;

import io.updraft.engine.testing.TestBolt;
import io.updraft.engine.testing.TestSpout;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;

/** Components that declare streams and do nothing. */
@SuppressWarnings("serial")
public final class TestComponents {
    private TestComponents() {}

    /** Declares {@code default(word)} and {@code extra(a, b)}. */
    public static final class QuietSpout extends TestSpout {
        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("word"));
            declarer.declareStream("extra", new Fields("a", "b"));
        }
    }

    /** Takes tuples and keeps them. */
    public static final class QuietBolt extends TestBolt {
        @Override
        public void execute(Tuple input) {}
    }
}
