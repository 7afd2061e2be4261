package io.updraft.engine.run;

import io.updraft.engine.api.ContextFactory;
import io.updraft.engine.api.TaskControl;
import io.updraft.engine.plan.ComponentPlan;
import io.updraft.engine.plan.Plan;
import io.updraft.engine.testing.TestContexts;
import java.util.HashMap;
import java.util.Map;
import org.apache.storm.task.TopologyContext;

/** One context for each task, created once, because a simulation restarts instances often. */
public final class SimContexts implements ContextFactory {

    private final TestContexts contexts = new TestContexts();
    private final Map<Integer, TopologyContext> made = new HashMap<>();

    @Override
    public TopologyContext create(Plan plan, ComponentPlan component, int taskId, Map<String, Object> executorData) {
        return made.computeIfAbsent(taskId, task -> contexts.create(plan, component, task, executorData));
    }

    @Override
    public TopologyContext create(
            Plan plan, ComponentPlan component, int taskId, Map<String, Object> executorData, TaskControl control) {
        Simulation simulation = Simulation.current();
        if (simulation != null && control != TaskControl.NONE) {
            simulation.controlled(taskId, control);
        }
        return create(plan, component, taskId, executorData);
    }
}
