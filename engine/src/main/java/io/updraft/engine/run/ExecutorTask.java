package io.updraft.engine.run;

import io.updraft.engine.api.TaskWrapper;
import io.updraft.engine.plan.ComponentPlan;
import io.updraft.engine.tuple.EdgeIds;
import java.util.HashMap;
import java.util.Map;
import org.apache.storm.task.TopologyContext;

/** One task with its current instance. There is no instance before the first start and during a restart. */
abstract class ExecutorTask {

    final int taskId;
    private InstanceControl control;

    /** The instance itself, set before it is opened. Read by any thread, which may see an old one. */
    private Object instance;

    ExecutorTask(int taskId) {
        this.taskId = taskId;
    }

    abstract boolean isOpen();

    /** Creates the collector of an instance and opens the instance. */
    abstract void open(
            EmitContext emits, Object made, OutStreams out, TopologyContext context, Map<String, Object> conf);

    abstract void wrap(TaskWrapper wrapper);

    abstract void close(ExecutorFailures failures);

    /** Moves to another executor, with its instance if there is one, while neither executor runs. */
    void moveTo(Executor next, int nextIndex) {
        if (control != null) {
            control.moveTo(next);
        }
    }

    /** Opens a new instance. Returns false after a failure, which is handled. */
    final boolean tryOpen(Executor executor) {
        TopologyServices shared = executor.shared;
        ComponentPlan component = executor.component;
        try {
            release();
            Object made = component.newInstance().get();
            control = new InstanceControl(executor, taskId);
            TopologyContext context = executor.newContext(taskId, control);
            Object adopted = shared.contexts().adopt(shared.plan(), component, taskId, made, context);
            OutStreams out =
                    new OutStreams(shared, component, taskId, context, false, EdgeIds.seedFor(shared.seed(), -taskId));
            out.moveTo(executor.outputs, executor.emits.sole());
            // A new map, which the instance may change, as in Storm.
            open(executor.emits, adopted, out, context, new HashMap<>(component.conf()));
            return true;
        } catch (Throwable t) {
            executor.failures.handle(taskId, component.spout() ? "open" : "prepare", t);
            return false;
        }
    }

    /** Stores an instance that is about to be opened. */
    final void take(Object made) {
        instance = made;
        rewrap();
    }

    final void rewrap() {
        if (instance != null) {
            wrap(control.wrapper());
        }
    }

    final Object instance() {
        return instance;
    }

    void release() {
        instance = null;
        if (control != null) {
            control.end();
        }
    }

    final void callLast(ExecutorFailures failures, String during, Runnable call) {
        try {
            call.run();
        } catch (Throwable t) {
            failures.closing(taskId, during, t);
        }
    }
}
