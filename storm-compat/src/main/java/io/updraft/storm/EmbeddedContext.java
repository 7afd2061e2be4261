package io.updraft.storm;

import io.updraft.engine.api.TaskControl;
import io.updraft.storm.instrument.TaskInstruments;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.storm.hooks.ITaskHook;
import org.apache.storm.task.TopologyContext;

/** Storm's own context, except that the directories it speaks of are made when a component asks for them. */
final class EmbeddedContext extends TopologyContext {
    private final TaskDirectories directories;

    private TaskControl control = TaskControl.NONE;

    /** Told of hooks; null before the instance is attached. */
    private TaskInstruments instruments;

    /**
     * Makes the context of one instance. Storm forbids {@code registerMetric} once every task of the executor is
     * prepared; here the flag stays false, so that a late registration is taken instead of failing the component.
     */
    EmbeddedContext(TopologyFacts facts, int taskId, Map<String, Object> executorData) {
        super(
                facts.plan().topology(),
                facts.plan().conf(),
                facts.taskToComponent(),
                facts.componentToTasks(),
                facts.componentToStreamToFields(),
                facts.blobVersions(),
                facts.plan().id(),
                null,
                null,
                taskId,
                facts.workerPort(),
                facts.workerTasks(),
                facts.resources().defaults(),
                facts.resources().users(),
                executorData,
                new HashMap<>(),
                new AtomicBoolean(false),
                facts.metrics());
        this.directories = facts.resources().directories();
    }

    /** The engine's hold on the instance. */
    TaskControl control() {
        return control;
    }

    /** Takes the engine's hold on the instance. Before it is opened. */
    void setControl(TaskControl engines) {
        control = engines;
    }

    /** Names who is to hear of hooks. Before the instance is opened. */
    void setInstruments(TaskInstruments attached) {
        instruments = attached;
    }

    /** As in Storm the hook is prepared at once; it sees what the task does from the next call on. */
    @Override
    public void addTaskHook(ITaskHook hook) {
        super.addTaskHook(hook);
        if (instruments != null) {
            instruments.hooked();
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
