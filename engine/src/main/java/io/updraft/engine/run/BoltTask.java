package io.updraft.engine.run;

import io.updraft.engine.api.TaskWrapper;
import java.util.Map;
import org.apache.storm.task.IBolt;
import org.apache.storm.task.TopologyContext;

/** One task of a bolt. */
final class BoltTask extends ExecutorTask {

    /** The bolt that the engine calls: the instance itself or its wrapper; null while the instance is not open. */
    IBolt bolt;

    BoltCollector collector;

    /** The instance with its current wrapper. */
    private IBolt outermost;

    BoltTask(int taskId) {
        super(taskId);
    }

    @Override
    boolean isOpen() {
        return bolt != null;
    }

    @Override
    void open(EmitContext emits, Object made, OutStreams out, TopologyContext context, Map<String, Object> conf) {
        collector = BoltCollector.of(emits, out, context, taskId);
        take(made);
        ((IBolt) made).prepare(conf, context, collector);
        bolt = outermost;
    }

    @Override
    void wrap(TaskWrapper wrapper) {
        IBolt own = (IBolt) instance();
        collector.wrap(wrapper);
        outermost = wrapper == null ? own : wrapper.wrapBolt(own);
        if (bolt != null) {
            bolt = outermost;
        }
    }

    @Override
    void close(ExecutorFailures failures) {
        IBolt closing = bolt;
        bolt = null;
        if (closing != null) {
            callLast(failures, "cleanup", closing::cleanup);
            release();
        }
    }

    @Override
    void moveTo(Executor next, int nextIndex) {
        super.moveTo(next, nextIndex);
        if (collector != null) {
            collector.moveTo(next.emits);
        }
    }

    @Override
    void release() {
        bolt = null;
        outermost = null;
        super.release();
    }
}
