package io.updraft.storm.instrument.watch;

import java.util.Map;
import org.apache.storm.task.IBolt;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.tuple.Tuple;

/** Wraps a bolt for its watchers. */
final class WatchedBolt implements IBolt {
    private static final long serialVersionUID = 1L;

    private final transient TaskInstruments task;
    private final transient IBolt bolt;

    WatchedBolt(TaskInstruments task, IBolt bolt) {
        this.task = task;
        this.bolt = bolt;
    }

    @Override
    public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector collector) {
        bolt.prepare(conf, context, collector);
    }

    @Override
    public void execute(Tuple input) {
        task.execute(bolt, input);
    }

    @Override
    public void cleanup() {
        task.closing();
        bolt.cleanup();
    }
}
