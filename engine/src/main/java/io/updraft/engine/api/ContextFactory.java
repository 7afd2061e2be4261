package io.updraft.engine.api;

import io.updraft.engine.plan.ComponentPlan;
import io.updraft.engine.plan.Plan;
import java.util.Map;
import org.apache.storm.task.TopologyContext;

/** Makes the {@link TopologyContext} that a component is prepared with; the door through which Storm's contract is hosted. */
@FunctionalInterface
public interface ContextFactory {

    /**
     * Makes the context of one task. Called on the thread that is about to open or prepare the component, once for each
     * instance (again after a rebuild).
     *
     * @param plan the plan that is run
     * @param component the component of the task
     * @param taskId the task
     * @param executorData the data that the tasks of one executor share
     * @return a new context
     */
    TopologyContext create(Plan plan, ComponentPlan component, int taskId, Map<String, Object> executorData);

    /**
     * Makes the context of one instance, as the other method does, for who wants to wrap the instance, now or later.
     *
     * @param plan the plan that is run
     * @param component the component of the task
     * @param taskId the task
     * @param executorData the data that the tasks of one executor share
     * @param control wraps the instance that gets the context
     * @return a new context
     */
    default TopologyContext create(
            Plan plan, ComponentPlan component, int taskId, Map<String, Object> executorData, TaskControl control) {
        return create(plan, component, taskId, executorData);
    }

    /**
     * Takes a new instance into its context: the last word on what the engine opens and calls. On the thread that is about to
     * open it.
     *
     * @param instance a bolt ({@code IBolt}) or a spout ({@code ISpout})
     * @param context the context made for it
     * @return the same, or what stands for it; of the same of the two interfaces
     */
    default Object adopt(Object instance, TopologyContext context) {
        return instance;
    }
}
