package io.updraft.engine.testing;

import io.updraft.engine.api.ContextFactory;
import io.updraft.engine.plan.ComponentPlan;
import io.updraft.engine.plan.Plan;
import io.updraft.engine.plan.StreamPlan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.storm.metrics2.StormMetricRegistry;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.tuple.Fields;

/** Creates real topology contexts with only the parts that the engine's tests use. */
public final class TestContexts implements ContextFactory {

    @Override
    public TopologyContext create(Plan plan, ComponentPlan component, int taskId, Map<String, Object> executorData) {
        Map<Integer, String> taskToComponent = new HashMap<>();
        Map<String, List<Integer>> tasks = new HashMap<>();
        Map<String, Map<String, Fields>> fields = new HashMap<>();
        for (ComponentPlan each : plan.components()) {
            List<Integer> own = Arrays.stream(each.taskIds()).boxed().toList();
            own.forEach(task -> taskToComponent.put(task, each.id()));
            tasks.put(each.id(), own);
            Map<String, Fields> streams = new HashMap<>();
            for (StreamPlan stream : each.outputs()) {
                streams.put(stream.streamId(), stream.fields());
            }
            fields.put(each.id(), streams);
        }
        return new TopologyContext(
                plan.topology(),
                plan.conf(),
                taskToComponent,
                tasks,
                fields,
                new HashMap<>(),
                plan.id(),
                null,
                null,
                taskId,
                0,
                new ArrayList<>(taskToComponent.keySet()),
                new HashMap<>(),
                new HashMap<>(),
                executorData,
                new HashMap<>(),
                new AtomicBoolean(),
                new StormMetricRegistry());
    }
}
