package io.updraft.storm.context;

import io.updraft.engine.api.TaskControl;
import io.updraft.storm.context.WorkerResources.TaskDirectories;
import io.updraft.storm.instrument.Instruments;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.storm.hooks.ITaskHook;
import org.apache.storm.metric.api.IMetric;
import org.apache.storm.task.TopologyContext;

/** Storm's own context, except that the code and PID directories are created when a component asks for them. */
final class EmbeddedContext extends TopologyContext {
    private final TaskDirectories directories;
    private final Map<Integer, Map<Integer, Map<String, IMetric>>> registered;

    /** Receives registrations of metrics; null before the instance is attached. */
    private Instruments metrics;

    private TaskControl control = TaskControl.NONE;

    /** Receives registrations of hooks; null before the instance is attached. */
    private Runnable hookAdded;

    /**
     * Creates the context of one instance. Storm forbids {@code registerMetric} once every task of the executor is prepared.
     * Here the flag stays false, so that a late registration succeeds and does not fail the component.
     */
    EmbeddedContext(TopologyFacts facts, int taskId, Map<String, Object> executorData) {
        this(facts, taskId, executorData, new HashMap<>());
    }

    private EmbeddedContext(
            TopologyFacts facts,
            int taskId,
            Map<String, Object> executorData,
            Map<Integer, Map<Integer, Map<String, IMetric>>> registered) {
        super(
                facts.topology(),
                facts.plan().conf(),
                facts.taskToComponent(),
                facts.componentToTasks(),
                facts.componentToStreamToFields(),
                facts.blobVersions(),
                facts.plan().id(),
                null,
                null,
                taskId,
                facts.place().port(),
                facts.workerTasks(),
                facts.resources().defaults(),
                facts.resources().users(),
                executorData,
                registered,
                new AtomicBoolean(false),
                facts.metrics());
        this.directories = facts.resources().directories();
        this.registered = registered;
    }

    TaskControl control() {
        return control;
    }

    void setControl(TaskControl engines) {
        control = engines;
    }

    void setInstruments(Instruments all, Runnable onHook) {
        metrics = all;
        hookAdded = onHook;
    }

    /** Returns the metrics of the older kind, by interval in seconds, task and name. */
    Map<Integer, Map<Integer, Map<String, IMetric>>> registered() {
        return registered;
    }

    @Override
    @SuppressWarnings("deprecation") // Storm's older metrics are part of its contract
    public <T extends IMetric> T registerMetric(String name, T metric, int timeBucketSizeInSecs) {
        T taken = super.registerMetric(name, metric, timeBucketSizeInSecs);
        if (metrics != null) {
            metrics.registered(timeBucketSizeInSecs);
        }
        return taken;
    }

    /** Prepares the hook at once, as in Storm. The hook observes the task from the next call on. */
    @Override
    public void addTaskHook(ITaskHook hook) {
        super.addTaskHook(hook);
        if (hookAdded != null) {
            hookAdded.run();
        }
    }

    @Override
    public String getCodeDir() {
        return directories.code();
    }

    @Override
    public String getPIDDir() {
        return directories.pids(getThisTaskId());
    }
}
