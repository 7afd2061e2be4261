package io.updraft.engine.loop;

import java.util.Map;
import org.apache.storm.spout.ISpout;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.TopologyContext;

/**
 * A wrapped spout as its collector sees it, which acks a message within its emit where there are no ackers. What the spout emits
 * in {@code ack} then has to come by the wrapper, as all that it emits.
 */
final class AckedInEmit implements ISpout {
    private static final long serialVersionUID = 1L;

    private final transient ISpout spout;
    private final transient SpoutCollector collector;

    AckedInEmit(ISpout spout, SpoutCollector collector) {
        this.spout = spout;
        this.collector = collector;
    }

    @Override
    public void ack(Object messageId) {
        boolean quick = collector.interrupt();
        try {
            spout.ack(messageId);
        } finally {
            if (quick) {
                collector.goOn();
            }
        }
    }

    @Override
    public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector out) {
        spout.open(conf, context, out);
    }

    @Override
    public void close() {
        spout.close();
    }

    @Override
    public void activate() {
        spout.activate();
    }

    @Override
    public void deactivate() {
        spout.deactivate();
    }

    @Override
    public void nextTuple() {
        spout.nextTuple();
    }

    @Override
    public void fail(Object messageId) {
        spout.fail(messageId);
    }
}
