package io.updraft.engine.testing;

import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.IRichBolt;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;

/** A bolt to begin with: acks, and declares the fields that it is given. Its children have what every bolt has. */
@SuppressWarnings("serial")
public class TestBolt extends BaseRichBolt {
    /** Set by prepare. */
    protected transient OutputCollector out;

    /** Set by prepare. */
    protected transient TopologyContext context;

    private final String[] fields;

    /** Declares fields of the default stream; without any, no stream. */
    protected TestBolt(String... fields) {
        this.fields = fields;
    }

    /** A bolt that does one thing with each tuple. */
    public static IRichBolt of(BiConsumer<Tuple, OutputCollector> execute) {
        return of(execute, declarer -> declarer.declare(new Fields("v")));
    }

    /** A bolt that does one thing with each tuple. */
    public static IRichBolt of(BiConsumer<Tuple, OutputCollector> execute, Consumer<OutputFieldsDeclarer> declare) {
        return Local.bolt(() -> new TestBolt() {
            @Override
            public void execute(Tuple input) {
                execute.accept(input, out);
            }

            @Override
            public void declareOutputFields(OutputFieldsDeclarer declarer) {
                declare.accept(declarer);
            }
        });
    }

    /** Acks each tuple after an action. */
    public static BiConsumer<Tuple, OutputCollector> ackAfter(Consumer<Tuple> action) {
        return (tuple, out) -> {
            action.accept(tuple);
            out.ack(tuple);
        };
    }

    /** Acks the tuples that hold, and fails the others. */
    public static BiConsumer<Tuple, OutputCollector> ackIf(Predicate<Tuple> holds) {
        return (tuple, out) -> {
            if (holds.test(tuple)) {
                out.ack(tuple);
            } else {
                out.fail(tuple);
            }
        };
    }

    /** A bolt that passes its input on, anchored, and acks. */
    public static IRichBolt passOn() {
        return of((tuple, out) -> {
            out.emit(tuple, new Values(tuple.getValue(0)));
            out.ack(tuple);
        });
    }

    /** A bolt that acks. */
    public static IRichBolt ack() {
        return of((tuple, out) -> out.ack(tuple));
    }

    @Override
    public void prepare(Map<String, Object> conf, TopologyContext topologyContext, OutputCollector collector) {
        out = collector;
        context = topologyContext;
        prepared();
    }

    /** The end of prepare. */
    protected void prepared() {}

    @Override
    public void execute(Tuple input) {
        out.ack(input);
    }

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {
        if (fields.length > 0) {
            declarer.declare(new Fields(fields));
        }
    }
}
