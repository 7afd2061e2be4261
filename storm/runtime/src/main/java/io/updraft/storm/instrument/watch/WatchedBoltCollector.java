package io.updraft.storm.instrument.watch;

import java.util.Collection;
import java.util.List;
import org.apache.storm.task.IOutputCollector;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.utils.Utils;

/** Wraps the collector of a watched bolt. */
final class WatchedBoltCollector extends OutputCollector {

    private final TaskInstruments task;
    private final IOutputCollector engine;

    WatchedBoltCollector(TaskInstruments task, IOutputCollector engine) {
        super(engine);
        this.task = task;
        this.engine = engine;
    }

    @Override
    public List<Integer> emit(String streamId, Collection<Tuple> anchors, List<Object> values) {
        if (Utils.isSystemId(streamId)) {
            return engine.emit(streamId, anchors, values);
        }
        List<Object> sent = task.emitting(streamId, values);
        List<Integer> tasks = engine.emit(streamId, anchors, sent);
        task.emitted(streamId, sent, null, tasks);
        return tasks;
    }

    @Override
    public void emitDirect(int target, String streamId, Collection<Tuple> anchors, List<Object> values) {
        if (Utils.isSystemId(streamId)) {
            engine.emitDirect(target, streamId, anchors, values);
            return;
        }
        List<Object> sent = task.emitting(streamId, values);
        engine.emitDirect(target, streamId, anchors, sent);
        task.emitted(streamId, sent, null, List.of(target));
    }

    @Override
    public void ack(Tuple input) {
        task.settling(input);
        engine.ack(input);
        task.acked(input);
    }

    @Override
    public void fail(Tuple input) {
        task.settling(input);
        engine.fail(input);
        task.failed(input);
    }
}
