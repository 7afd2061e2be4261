package io.updraft.storm.instrument;

import io.updraft.engine.api.TaskControl;
import io.updraft.engine.plan.ComponentPlan;
import io.updraft.engine.plan.Plan;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.storm.hooks.ITaskHook;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.utils.Utils;

/**
 * Decides who watches the instances of one topology, or of one worker's part of it, by its configuration and by what is
 * switched while it runs. Safe to use from any thread.
 */
public final class Instruments {
    private final Map<String, Object> conf;
    private final AutoHooks autoHooks;
    private final Traces traces;

    /** The newest instance of each task. */
    private final Map<Integer, TaskInstruments> tasks = new ConcurrentHashMap<>();

    /**
     * Reads the configuration of a topology.
     *
     * @param plan the topology
     * @param loader finds the classes of the submitting program
     * @throws IllegalArgumentException when a setting names a class that is not there or is of another kind
     */
    public Instruments(Plan plan, ClassLoader loader) {
        this.conf = plan.conf();
        this.autoHooks = new AutoHooks(conf, loader);
        this.traces = new Traces(plan);
    }

    /**
     * Checks what the configuration says of instruments, without starting anything.
     *
     * @param conf the whole configuration
     * @param loader finds the classes of the submitting program
     * @throws IllegalArgumentException when a setting names a class that is not there or is of another kind
     */
    public static void check(Map<String, Object> conf, ClassLoader loader) {
        new AutoHooks(conf, loader);
    }

    /**
     * Has an instance watched as the topology wants it. On the thread that is about to open it.
     *
     * @param component its component
     * @param context its context
     * @param control wraps it
     * @return what its context is to tell of hooks that it is given
     */
    public TaskInstruments attach(ComponentPlan component, TopologyContext context, TaskControl control) {
        TaskInstruments task = new TaskInstruments(context, conf, control);
        if (control != TaskControl.NONE && !Utils.isSystemId(component.id())) {
            tasks.put(context.getThisTaskId(), task);
            traces.attach(component, task);
        }
        return task;
    }

    /** {@return what components may ask for by {@code TopologyContext.getResource}, by its name} */
    public Map<String, Object> resources() {
        return traces.resources();
    }

    /** {@return new instances of the hooks that every task is given, to be added to its context} */
    public List<ITaskHook> autoHooks() {
        return autoHooks.make();
    }
}
