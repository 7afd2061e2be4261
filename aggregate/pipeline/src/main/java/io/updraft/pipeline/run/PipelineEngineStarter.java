package io.updraft.pipeline.run;

import io.updraft.engine.api.ContextFactory;
import io.updraft.engine.api.EngineOptions;
import io.updraft.engine.api.EngineStarter;
import io.updraft.engine.api.TaskControl;
import io.updraft.engine.api.TopologyEngine;
import io.updraft.engine.plan.ComponentPlan;
import io.updraft.engine.plan.Plan;
import io.updraft.engine.run.Engine;
import java.util.Map;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.task.TopologyContext;

/**
 * Starts the topology of a run in this process. Submitting a topology copies its components, as in Storm, so they cannot carry
 * the state of the run: they find it in their contexts.
 */
record PipelineEngineStarter(PipelineRunState state) implements EngineStarter {

    private static final String KEY = PipelineRunState.class.getName();

    @Override
    public TopologyEngine start(StormTopology topology, Map<String, Object> conf, EngineOptions options) {
        return Engine.start(
                topology,
                conf,
                new EngineOptions(
                        options.name(),
                        options.id(),
                        new RunContexts(options.contexts(), state),
                        options.clock(),
                        options.seed(),
                        options.onError(),
                        options.onDeath()));
    }

    /** Returns the state of the run to which a component belongs. */
    static PipelineRunState stateOf(TopologyContext context) {
        return (PipelineRunState) context.getTaskData(KEY);
    }

    private record RunContexts(ContextFactory contexts, PipelineRunState state) implements ContextFactory {
        @Override
        public TopologyContext create(
                Plan plan, ComponentPlan component, int taskId, Map<String, Object> executorData) {
            return create(plan, component, taskId, executorData, TaskControl.NONE);
        }

        @Override
        public TopologyContext create(
                Plan plan, ComponentPlan component, int taskId, Map<String, Object> executorData, TaskControl control) {
            TopologyContext context = contexts.create(plan, component, taskId, executorData, control);
            context.setTaskData(KEY, state);
            return context;
        }

        @Override
        public Object adopt(Object instance, TopologyContext context) {
            return contexts.adopt(instance, context);
        }
    }
}
