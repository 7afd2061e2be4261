package io.updraft.engine.loop;

import io.updraft.engine.api.TaskWrapper;
import org.apache.storm.task.IBolt;

/** One task of a bolt: the current instance, or null while it is to be rebuilt. */
final class BoltTask {

    final int taskId;

    /** What the engine calls: the instance itself, or what it is wrapped in. */
    IBolt bolt;

    BoltCollector collector;
    InstanceControl control;

    /** The instance itself, from before it is prepared. */
    private IBolt instance;

    /** The instance as it is wrapped now. */
    private IBolt outermost;

    BoltTask(int taskId) {
        this.taskId = taskId;
    }

    /** Takes an instance that is about to be prepared. */
    void take(IBolt made, BoltCollector itsCollector) {
        instance = made;
        outermost = made;
        collector = itsCollector;
        rewrap();
    }

    /** The instance itself, or null. A look from any thread. */
    IBolt instance() {
        return instance;
    }

    /** The instance has been prepared. */
    void opened() {
        bolt = outermost;
    }

    /** Wraps the instance, if there is one, as its control says. */
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

    /** Goes to another executor, with its instance if there is one. While neither runs. */
    void moveTo(BoltExecutor next) {
        if (control != null) {
            control.moveTo(next);
        }
        if (collector != null) {
            collector.moveTo(next);
        }
    }

    /** Lets the instance go. */
    void release() {
        bolt = null;
        instance = null;
        if (control != null) {
            control.end();
        }
    }
}
