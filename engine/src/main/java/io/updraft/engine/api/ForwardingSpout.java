package io.updraft.engine.api;

import java.util.Map;
import java.util.Objects;
import org.apache.storm.spout.ISpout;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.TopologyContext;

/**
 * A spout in front of another: each call goes on to that one, unless a subclass does something else. It is made where a task
 * lives and never serialized. Calls come on the thread of the task's executor; what the other spout throws goes through.
 */
public abstract class ForwardingSpout implements ISpout {
    private static final long serialVersionUID = 1L;

    private final transient ISpout spout;

    /**
     * Puts this spout in front of another.
     *
     * @param spout where calls go
     */
    protected ForwardingSpout(ISpout spout) {
        this.spout = Objects.requireNonNull(spout, "spout");
    }

    @Override
    public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector collector) {
        spout.open(conf, context, collector);
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
    public void ack(Object messageId) {
        spout.ack(messageId);
    }

    @Override
    public void fail(Object messageId) {
        spout.fail(messageId);
    }
}
