package io.updraft.engine.plan;

import java.util.List;
import java.util.Map;
import org.apache.storm.generated.StormTopology;

/**
 * A topology whose components, tasks, executors and subscriptions are resolved before the first tuple. Immutable.
 *
 * @param name the topology's name
 * @param id the topology's id, unique in this process
 * @param conf the whole configuration: Storm's defaults, overlaid with the user's
 * @param topology the topology as submitted
 * @param components the user's components, ordered by id
 * @param executors all executors, ordered by task
 * @param taskToExecutor executor index by task id, -1 where there is no such task
 * @param workers number of workers
 * @param loops number of event loops in each worker
 */
public record Plan(
        String name,
        String id,
        Map<String, Object> conf,
        StormTopology topology,
        List<ComponentPlan> components,
        List<ExecutorPlan> executors,
        int[] taskToExecutor,
        int workers,
        int loops) {

    /**
     * {@return the component}
     *
     * @param id the id that the user gave it
     * @throws InvalidTopology when there is no such component
     */
    public ComponentPlan component(String id) {
        for (ComponentPlan component : components) {
            if (component.id().equals(id)) {
                return component;
            }
        }
        throw new InvalidTopology("there is no component '" + id + "' in topology '" + name + "'");
    }

    /** {@return the number of output streams of all components; streams are numbered from 1} */
    public int streamCount() {
        return components.stream()
                .mapToInt(component -> component.outputs().size())
                .sum();
    }

    /**
     * Finds the number of an output stream, the same on all workers.
     *
     * @param componentId the component that emits on the stream
     * @param streamId the stream
     * @return its number, from 1; 0 if there is no such stream
     */
    public int numberOf(String componentId, String streamId) {
        int number = 0;
        for (ComponentPlan component : components) {
            for (StreamPlan stream : component.outputs()) {
                number++;
                if (component.id().equals(componentId) && stream.streamId().equals(streamId)) {
                    return number;
                }
            }
        }
        return 0;
    }

    /**
     * {@return the worker that runs it}
     *
     * @param task a task of the topology
     */
    public int workerOf(int task) {
        return executors.get(taskToExecutor[task]).worker();
    }
}
