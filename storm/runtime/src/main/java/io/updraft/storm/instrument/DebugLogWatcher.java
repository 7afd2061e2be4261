package io.updraft.storm.instrument;

import io.updraft.storm.instrument.Watcher.SpoutMessage;
import java.util.List;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.tuple.Tuple;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs the tuples of a task in Storm's format ({@code topology.debug}). */
final class DebugLogWatcher implements Watcher {

    private final String component;
    private final int task;
    private final Logger log;

    public DebugLogWatcher(TopologyContext context) {
        this(context, LoggerFactory.getLogger(DebugLogWatcher.class));
    }

    public DebugLogWatcher(TopologyContext context, Logger log) {
        this.log = log;
        this.component = context.getThisComponentId();
        this.task = context.getThisTaskId();
    }

    @Override
    public boolean wantsTimes() {
        return true;
    }

    @Override
    public void emitted(String stream, List<Object> values, Object messageId, List<Integer> tasks) {
        log.info("Emitting Tuple: taskId={} componentId={} stream={} values={}", task, component, stream, values);
    }

    @Override
    public void executing(Tuple input) {
        log.info("Processing received TUPLE: {} for TASK: {} ", input, task);
    }

    @Override
    public void executed(Tuple input, long latencyMs) {
        log.info("Execute done TUPLE {} TASK: {} DELTA: {}", input, task, latencyMs);
    }

    @Override
    public void acked(Tuple input, long latencyMs) {
        log.info("BOLT ack TASK: {} TIME: {} TUPLE: {}", task, latencyMs, input);
    }

    @Override
    public void failed(Tuple input, long latencyMs) {
        log.info("BOLT fail TASK: {} TIME: {} TUPLE: {}", task, latencyMs, input);
    }

    @Override
    public void spoutAcked(SpoutMessage message) {
        log.info("SPOUT Acking message {} TASK: {}", message.id(), task);
    }

    @Override
    public void spoutFailed(SpoutMessage message) {
        log.info("SPOUT Failing {} TASK: {}", message.id(), task);
    }
}
