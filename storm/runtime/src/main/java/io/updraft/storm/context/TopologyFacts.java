package io.updraft.storm.context;

import io.updraft.engine.plan.ComponentPlan;
import io.updraft.engine.plan.Plan;
import io.updraft.engine.plan.StreamPlan;
import io.updraft.storm.context.WorkerResources.TaskDirectories;
import io.updraft.storm.instrument.SystemComponents;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.Constants;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.metrics2.StormMetricRegistry;
import org.apache.storm.tuple.Fields;
import org.apache.storm.utils.Utils;

/**
 * Facts about one running topology for the contexts of its tasks, computed once and shared by all contexts. The topology is as
 * built by the user, without the components and streams that the system has added. Lists of tasks are ascending; those of
 * {@code workerTasks} are of this worker. No reporter is started on the metrics.
 */
record TopologyFacts(
        Plan plan,
        StormTopology topology,
        Map<Integer, String> taskToComponent,
        Map<String, List<Integer>> componentToTasks,
        Map<String, Map<String, Fields>> componentToStreamToFields,
        WorkerPlace place,
        List<Integer> workerTasks,
        Map<String, Long> blobVersions,
        StormMetricRegistry metrics,
        WorkerResources resources) {

    private static final String SYSTEM_STREAM_ID = "__system";

    static TopologyFacts of(Plan plan, WorkerPlace place, ClassLoader loader) {
        Map<Integer, String> taskToComponent = new HashMap<>();
        Map<String, Map<String, Fields>> fields = new HashMap<>();
        place.slot().ifPresent(slot -> taskToComponent.putAll(slot.taskToComponent()));
        for (ComponentPlan component : plan.components()) {
            Arrays.stream(component.taskIds()).forEach(task -> taskToComponent.put(task, component.id()));
            fields.put(component.id(), streamFields(component));
        }
        fields.put(Constants.SYSTEM_COMPONENT_ID, systemFields());
        Map<String, List<Integer>> componentToTasks = Utils.reverseMap(taskToComponent);
        componentToTasks.values().forEach(Collections::sort);
        TaskDirectories directories = new TaskDirectories(loader, place.slot());
        WorkerResources resources = WorkerResources.of(plan.id(), plan.conf(), directories);
        return new TopologyFacts(
                plan,
                SystemComponents.removeFrom(plan.topology()),
                Collections.unmodifiableMap(taskToComponent),
                Collections.unmodifiableMap(componentToTasks),
                Collections.unmodifiableMap(fields),
                place,
                place.slot().map(WorkerPlace.Slot::tasks).orElseGet(() -> tasksOf(plan, place.worker())),
                place.slot().map(WorkerPlace.Slot::blobVersions).orElseGet(() -> LinkedBlobs.versions(plan.conf())),
                new StormMetricRegistry(),
                resources);
    }

    private static List<Integer> tasksOf(Plan plan, int worker) {
        return plan.executors().stream()
                .filter(executor -> executor.worker() == worker)
                .flatMap(executor -> Arrays.stream(executor.taskIds()).boxed())
                .sorted()
                .toList();
    }

    private static Map<String, Fields> streamFields(ComponentPlan component) {
        Map<String, Fields> fields = new HashMap<>();
        fields.put(SYSTEM_STREAM_ID, new Fields("event"));
        fields.put(Constants.METRICS_STREAM_ID, new Fields("task-info", "data-points"));
        for (StreamPlan stream : component.outputs()) {
            fields.put(stream.streamId(), stream.fields());
        }
        return Collections.unmodifiableMap(fields);
    }

    /** The streams of Storm's system component, with Storm's field names. */
    private static Map<String, Fields> systemFields() {
        return Map.of(
                Constants.SYSTEM_TICK_STREAM_ID, new Fields("rate_secs"),
                Constants.SYSTEM_FLUSH_STREAM_ID, new Fields(),
                Constants.METRICS_TICK_STREAM_ID, new Fields("interval"));
    }
}
