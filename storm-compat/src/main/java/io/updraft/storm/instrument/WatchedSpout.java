package io.updraft.storm.instrument;

import java.util.Map;
import org.apache.storm.spout.ISpout;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.TopologyContext;

/** A spout that is watched. */
final class WatchedSpout implements ISpout {
    private static final long serialVersionUID = 1L;

    private final transient TaskInstruments task;
    private final transient ISpout spout;

    WatchedSpout(TaskInstruments task, ISpout spout) {
        this.task = task;
        this.spout = spout;
    }

    @Override
    public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector collector) {
        spout.open(conf, context, collector);
    }

    @Override
    public void close() {
        task.closing();
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
        spout.ack(Stamp.idOf(messageId));
        task.spoutAcked(messageId);
    }

    @Override
    public void fail(Object messageId) {
        spout.fail(Stamp.idOf(messageId));
        task.spoutFailed(messageId);
    }
}
