package io.updraft.storm.multilang;

import java.util.List;
import java.util.Map;
import org.apache.storm.spout.ISpout;
import org.apache.storm.spout.ISpoutOutputCollector;
import org.apache.storm.spout.ShellSpout;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.TopologyContext;

/**
 * A spout with a subprocess. It waits for the subprocess' answers on the executor's thread; a timer of its own tells by
 * reporting an error that there is none, and would then end the JVM. It does not when the spout is closed by then, which
 * also ends the subprocess, so that the waiting call fails and the executor is rebuilt.
 */
final class GuardedShellSpout implements ISpout {
    private static final long serialVersionUID = 1;

    private final transient ShellSpout spout;
    private final transient Subprocesses subprocesses;
    private transient boolean opened;

    GuardedShellSpout(ShellSpout spout, Subprocesses subprocesses) {
        this.spout = spout;
        this.subprocesses = subprocesses;
    }

    @Override
    public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector collector) {
        try {
            spout.open(conf, context, new SpoutOutputCollector(new Reports(collector)));
            opened = true;
        } catch (RuntimeException e) {
            subprocesses.end();
            throw e;
        }
    }

    @Override
    public void close() {
        try {
            if (opened) {
                spout.close();
            }
        } finally {
            subprocesses.end();
        }
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
    public void ack(Object msgId) {
        spout.ack(msgId);
    }

    @Override
    public void fail(Object msgId) {
        spout.fail(msgId);
    }

    /** Emits as the collector does, and hears of the subprocess' death. */
    private final class Reports implements ISpoutOutputCollector {
        private final SpoutOutputCollector collector;

        private Reports(SpoutOutputCollector collector) {
            this.collector = collector;
        }

        @Override
        public List<Integer> emit(String streamId, List<Object> tuple, Object messageId) {
            return collector.emit(streamId, tuple, messageId);
        }

        @Override
        public void emitDirect(int taskId, String streamId, List<Object> tuple, Object messageId) {
            collector.emitDirect(taskId, streamId, tuple, messageId);
        }

        @Override
        public long getPendingCount() {
            return collector.getPendingCount();
        }

        @Override
        public void flush() {
            collector.flush();
        }

        @Override
        public void reportError(Throwable error) {
            if (GuardedShellBolt.isDeath(error)) {
                close();
            } else {
                collector.reportError(error);
            }
        }
    }
}
