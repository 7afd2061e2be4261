package io.updraft.storm.instrument.watch;

import java.util.List;
import org.apache.storm.spout.ISpoutOutputCollector;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.utils.Utils;

/** Wraps the collector of a watched spout. */
final class WatchedSpoutCollector extends SpoutOutputCollector {

    private final TaskInstruments task;
    private final ISpoutOutputCollector engine;

    WatchedSpoutCollector(TaskInstruments task, ISpoutOutputCollector engine) {
        super(engine);
        this.task = task;
        this.engine = engine;
    }

    @Override
    public List<Integer> emit(String streamId, List<Object> values, Object messageId) {
        if (Utils.isSystemId(streamId)) {
            // A dead letter contains the message's id.
            values.replaceAll(WatchedMessageId::idOf);
            return engine.emit(streamId, values, messageId);
        }
        List<Object> sent = task.emitting(streamId, values);
        List<Integer> tasks = engine.emit(streamId, sent, task.watchedId(streamId, sent, messageId));
        task.emitted(streamId, sent, messageId, tasks);
        return tasks;
    }

    @Override
    public void emitDirect(int target, String streamId, List<Object> values, Object messageId) {
        if (Utils.isSystemId(streamId)) {
            engine.emitDirect(target, streamId, values, messageId);
            return;
        }
        List<Object> sent = task.emitting(streamId, values);
        engine.emitDirect(target, streamId, sent, task.watchedId(streamId, sent, messageId));
        task.emitted(streamId, sent, messageId, List.of(target));
    }
}
