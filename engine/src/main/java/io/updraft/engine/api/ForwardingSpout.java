package io.updraft.engine.api;

import java.util.Map;
import java.util.Objects;
import org.apache.storm.spout.ISpout;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.TopologyContext;

/**
 * A spout that forwards each call to another spout unless a subclass overrides the method. Created in the worker that runs the
 * task and never serialized. Calls come on the thread of the task's executor. Exceptions of the other spout are not caught.
 */
public abstract class ForwardingSpout implements ISpout {
    private static final long serialVersionUID = 1L;

    private final transient ISpout spout;

    /**
     * Creates a spout that forwards to another.
     *
     * @param spout receives the calls
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
