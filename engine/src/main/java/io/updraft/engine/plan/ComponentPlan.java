package io.updraft.engine.plan;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.generated.Grouping;

/**
 * One component, with its configuration, streams, tasks and executors resolved.
 *
 * @param index position in {@link Plan#components()}
 * @param id the id that the user gave it
 * @param spout true for a spout, false for a bolt
 * @param conf the topology's configuration overlaid with the component's own
 * @param newInstance creates a new instance of the user's {@code ISpout} or {@code IBolt}
 * @param outputs output streams, ordered by name; a spout has the dead letter stream as its last
 * @param inputs subscriptions
 * @param taskIds its tasks, ascending and contiguous
 * @param executors indexes of its executors in {@link Plan#executors()}
 */
public record ComponentPlan(
        int index,
        String id,
        boolean spout,
        Map<String, Object> conf,
        Supplier<Object> newInstance,
        List<StreamPlan> outputs,
        Map<GlobalStreamId, Grouping> inputs,
        int[] taskIds,
        int[] executors) {

    /** {@return whether the system has added the component} */
    public boolean isSystem() {
        return SystemId.is(id);
    }
}
