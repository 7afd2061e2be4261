package io.updraft.pipeline.run;

import io.updraft.engine.api.ContextFactory;
import io.updraft.engine.plan.ComponentPlan;
import io.updraft.engine.plan.Plan;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.storm.task.TopologyContext;

/**
 * Gives the components of a run their state. Their plan has them serialized, as in Storm, so they cannot carry it. They have no
 * contexts: the first context of a process makes Storm read all of its defaults, which takes longer than a short run.
 */
record RunContexts(PipelineRunState state) implements ContextFactory {

    /** A component of a run. */
    interface Member {
        /**
         * Receives what the component needs of the run before the component is opened.
         *
         * @param run the state of the run
         * @param index the number of the component's task, from 0
         * @param workers the tasks that receive the events of the source
         */
        void join(PipelineRunState run, int index, List<Integer> workers);
    }

    @Override
    public TopologyContext create(Plan plan, ComponentPlan component, int taskId, Map<String, Object> executorData) {
        return null;
    }

    @Override
    public Object adopt(Plan plan, ComponentPlan component, int taskId, Object instance, TopologyContext context) {
        int[] workers = plan.component(PipelineTopology.workers(state.plan)).taskIds();
        int index = taskId - component.taskIds()[0];
        ((Member) instance).join(state, index, Arrays.stream(workers).boxed().toList());
        return instance;
    }
}
