package io.updraft.engine.executor;

import io.updraft.engine.api.TaskWrapper;
import io.updraft.engine.emit.SpoutCollector;
import io.updraft.engine.emit.SpoutTaskOwner;
import io.updraft.engine.state.TopologyServices;
import org.apache.storm.spout.ISpout;

/** One task of a spout, with its current instance. There is no instance before the first start and during a restart. */
final class SpoutTask {

    final int taskId;

    /** The failures by message id; message ids are unique only within a task. */
    final MessageFailures replays;

    /** The executor that has the task. */
    final SpoutTaskOwner owner;

    /** The spout that the engine calls: the instance itself or its wrapper; null while the instance is not open. */
    ISpout spout;

    SpoutCollector collector;
    InstanceControl control;

    /** The instance itself, set before it is opened. */
    private ISpout instance;

    /** The instance with its current wrapper. */
    private ISpout outermost;

    /** Whether the instance has been activated. */
    boolean active;

    SpoutTask(TopologyServices shared, SpoutTaskOwner owner) {
        this.owner = owner;
        this.taskId = owner.taskId();
        this.replays = new MessageFailures(shared.settings().maxReplays());
    }

    /** Stores an instance that is about to be opened. */
    void take(ISpout made, SpoutCollector itsCollector) {
        instance = made;
        outermost = made;
        collector = itsCollector;
        rewrap();
    }

    /** Returns the instance itself, or null. May be called from any thread; the answer may be out of date. */
    ISpout instance() {
        return instance;
    }

    /** Marks the instance as open. */
    void opened() {
        spout = outermost;
        active = false;
    }

    /** Wraps the instance, if there is one, with the wrapper of its control. */
    void rewrap() {
        if (instance == null) {
            return;
        }
        TaskWrapper wrapper = control.wrapper();
        outermost = wrapper == null ? instance : wrapper.wrapSpout(instance);
        collector.wrap(wrapper, outermost);
        if (spout != null) {
            spout = outermost;
        }
    }

    /** Moves to another executor, with its instance if there is one, while neither executor runs. */
    void moveTo(SpoutExecutor next, int nextIndex) {
        owner.moveTo(next.output(), nextIndex);
        if (control != null) {
            control.moveTo(next);
        }
        if (collector != null) {
            collector.moveTo(next.output());
        }
    }

    /** Drops the instance. */
    void release() {
        spout = null;
        instance = null;
        if (control != null) {
            control.end();
        }
    }
}
