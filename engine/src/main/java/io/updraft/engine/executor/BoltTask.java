package io.updraft.engine.executor;

import io.updraft.engine.api.TaskWrapper;
import io.updraft.engine.emit.BoltCollector;
import org.apache.storm.task.IBolt;

/** One task of a bolt, with its current instance. There is no instance before the first start and during a restart. */
final class BoltTask {

    final int taskId;

    /** The bolt that the engine calls: the instance itself or its wrapper; null while the instance is not open. */
    IBolt bolt;

    BoltCollector collector;
    InstanceControl control;

    /** The instance itself, set before it is prepared. */
    private IBolt instance;

    /** The instance with its current wrapper. */
    private IBolt outermost;

    BoltTask(int taskId) {
        this.taskId = taskId;
    }

    /** Stores an instance that is about to be prepared. */
    void take(IBolt made, BoltCollector itsCollector) {
        instance = made;
        outermost = made;
        collector = itsCollector;
        rewrap();
    }

    /** Returns the instance itself, or null. May be called from any thread; the answer may be out of date. */
    IBolt instance() {
        return instance;
    }

    /** Marks the instance as prepared. */
    void opened() {
        bolt = outermost;
    }

    /** Wraps the instance, if there is one, with the wrapper of its control. */
    void rewrap() {
        if (instance == null) {
            return;
        }
        TaskWrapper wrapper = control.wrapper();
        collector.wrap(wrapper);
        outermost = wrapper == null ? instance : wrapper.wrapBolt(instance);
        if (bolt != null) {
            bolt = outermost;
        }
    }

    /** Moves to another executor, with its instance if there is one, while neither executor runs. */
    void moveTo(BoltExecutor next) {
        if (control != null) {
            control.moveTo(next);
        }
        if (collector != null) {
            collector.moveTo(next.emits());
        }
    }

    /** Drops the instance. */
    void release() {
        bolt = null;
        instance = null;
        if (control != null) {
            control.end();
        }
    }
}
