package io.updraft.engine.api;

import io.updraft.engine.plan.ComponentPlan;
import io.updraft.engine.plan.Plan;
import java.util.Map;
import org.apache.storm.task.TopologyContext;

/**
 * Creates the {@link TopologyContext} of each task. Storm's side of the contract with components is implemented behind this
 * interface.
 */
@FunctionalInterface
public interface ContextFactory {

    /**
     * Creates the context of one task. Called once for each instance, also after a restart, on the thread that then opens or
     * prepares the component.
     *
     * @param plan the plan that the engine runs
     * @param component the component of the task
     * @param taskId the task
     * @param executorData the data that the tasks of one executor share
     * @return a new context; null if the components of the caller use none
     */
    TopologyContext create(Plan plan, ComponentPlan component, int taskId, Map<String, Object> executorData);

    /**
     * Creates the context of one instance, as the method above does. An implementation that wraps the instance, now or later,
     * overrides this method and keeps the control.
     *
     * @param plan the plan that the engine runs
     * @param component the component of the task
     * @param taskId the task
     * @param executorData the data that the tasks of one executor share
     * @param control the control of the instance that receives the context
     * @return a new context; null if the components of the caller use none
     */
    default TopologyContext create(
            Plan plan, ComponentPlan component, int taskId, Map<String, Object> executorData, TaskControl control) {
        return create(plan, component, taskId, executorData);
    }

    /**
     * Replaces a new instance before the engine opens it. Called on the thread that then opens the instance.
     *
     * @param plan the plan that the engine runs
     * @param component the component of the task
     * @param taskId the task
     * @param instance a bolt ({@code IBolt}) or a spout ({@code ISpout})
     * @param context the context of the instance
     * @return the instance, or a replacement that implements the same interface; the engine opens and calls the returned object
     */
    default Object adopt(Plan plan, ComponentPlan component, int taskId, Object instance, TopologyContext context) {
        return instance;
    }
}
