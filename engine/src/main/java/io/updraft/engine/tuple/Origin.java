package io.updraft.engine.tuple;

import io.updraft.engine.plan.Plan;
import io.updraft.engine.plan.StreamPlan;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.task.GeneralTopologyContext;
import org.apache.storm.tuple.Fields;

/**
 * The source of tuples: one stream of one task. Shared by all tuples of that stream, so a tuple has one reference instead of
 * five.
 *
 * @param componentId the emitting component
 * @param streamId the stream
 * @param taskId the emitting task
 * @param fields the declared fields
 * @param globalStreamId component and stream as one object of Storm
 * @param context the emitting task's view of the topology
 * @param number the number of the stream in the plan; 0 for a stream that is not in the plan, such as the tick stream
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
     * Creates the origin of a stream of the plan.
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
     * Creates the origin of a stream that is not in the plan.
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
