package io.updraft.engine.tuple;

import io.updraft.engine.plan.Plan;
import io.updraft.engine.plan.StreamPlan;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.task.GeneralTopologyContext;
import org.apache.storm.tuple.Fields;

/**
 * Where tuples come from: one stream of one task. Shared by all tuples of that stream, so that a tuple carries one
 * reference instead of five.
 *
 * @param componentId the emitting component
 * @param streamId the stream
 * @param taskId the emitting task
 * @param fields the declared fields
 * @param globalStreamId component and stream, as Storm names them together
 * @param context the emitting task's view of the topology
 * @param number the plan's number of the stream; 0 for one that is not in the plan, as that of ticks
 */
public record Origin(
        String componentId,
        String streamId,
        int taskId,
        Fields fields,
        GlobalStreamId globalStreamId,
        GeneralTopologyContext context,
        int number) {

    /**
     * Names a stream of the plan.
     *
     * @param plan the plan
     * @param stream the stream
     * @param taskId the emitting task
     * @param context the emitting task's view of the topology
     * @return the origin
     */
    public static Origin of(Plan plan, StreamPlan stream, int taskId, GeneralTopologyContext context) {
        return new Origin(
                stream.componentId(),
                stream.streamId(),
                taskId,
                stream.fields(),
                new GlobalStreamId(stream.componentId(), stream.streamId()),
                context,
                plan.numberOf(stream.componentId(), stream.streamId()));
    }

    /**
     * Names a stream of a task that is in no plan.
     *
     * @param componentId the emitting component
     * @param streamId the stream
     * @param taskId the emitting task
     * @param fields the declared fields
     * @param context the emitting task's view of the topology
     * @return the origin
     */
    public static Origin of(
            String componentId, String streamId, int taskId, Fields fields, GeneralTopologyContext context) {
        return new Origin(componentId, streamId, taskId, fields, new GlobalStreamId(componentId, streamId), context, 0);
    }
}
