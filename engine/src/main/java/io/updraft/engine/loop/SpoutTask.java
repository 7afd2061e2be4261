package io.updraft.engine.loop;

import io.updraft.engine.api.TaskWrapper;
import org.apache.storm.spout.ISpout;

/** One task of a spout: the current instance, or null while it is to be rebuilt. */
final class SpoutTask {

    final int taskId;

    /** By message id, which means something to its own task only. */
    final Replays replays;

    /** Whose task it is. Changes while that does not run, under its lock; read by any thread. */
    volatile SpoutExecutor owner;

    /** Position among the executor's tasks. */
    int index;

    /** What the engine calls: the instance itself, or what it is wrapped in. */
    ISpout spout;

    SpoutCollector collector;
    InstanceControl control;

    /** The instance itself, from before it is opened. */
    private ISpout instance;

    /** The instance as it is wrapped now. */
    private ISpout outermost;

    /** Whether the instance was told that the topology is active. */
    boolean active;

    SpoutTask(SpoutExecutor owner, int taskId, int index) {
        this.owner = owner;
        this.taskId = taskId;
        this.index = index;
        this.replays = new Replays(owner.shared.settings().maxReplays());
    }

    /** Takes an instance that is about to be opened. */
    void take(ISpout made, SpoutCollector itsCollector) {
        instance = made;
        outermost = made;
        collector = itsCollector;
        rewrap();
    }

    /** The instance itself, or null. A look from any thread. */
    ISpout instance() {
        return instance;
    }

    /** The instance has been opened. */
    void opened() {
        spout = outermost;
        active = false;
    }

    /** Wraps the instance, if there is one, as its control says. */
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

    /** Goes to another executor, with its instance if there is one. While neither runs. */
    void moveTo(SpoutExecutor next, int nextIndex) {
        owner = next;
        index = nextIndex;
        if (control != null) {
            control.moveTo(next);
        }
        if (collector != null) {
            collector.moveTo(next);
        }
    }

    /** Lets the instance go. */
    void release() {
        spout = null;
        instance = null;
        if (control != null) {
            control.end();
        }
    }
}
