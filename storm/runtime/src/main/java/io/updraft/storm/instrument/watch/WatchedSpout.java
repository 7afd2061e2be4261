package io.updraft.storm.instrument.watch;

import io.updraft.engine.api.ForwardingSpout;
import org.apache.storm.spout.ISpout;

/** Wraps a spout for its watchers. */
final class WatchedSpout extends ForwardingSpout {
    private static final long serialVersionUID = 1L;

    private final transient TaskInstruments task;

    WatchedSpout(TaskInstruments task, ISpout spout) {
        super(spout);
        this.task = task;
    }

    @Override
    public void close() {
        task.closing();
        super.close();
    }

    @Override
    public void ack(Object messageId) {
        super.ack(WatchedMessageId.idOf(messageId));
        task.spoutEnded(messageId, Watcher::spoutAcked);
    }

    @Override
    public void fail(Object messageId) {
        super.fail(WatchedMessageId.idOf(messageId));
        task.spoutEnded(messageId, Watcher::spoutFailed);
    }
}
