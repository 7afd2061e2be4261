package io.updraft.engine.tuple;

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
 */
public record Origin(
        String componentId,
        String streamId,
        int taskId,
        Fields fields,
        GlobalStreamId globalStreamId,
        GeneralTopologyContext context) {

    /**
     * Names a stream of a task.
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
        return new Origin(componentId, streamId, taskId, fields, new GlobalStreamId(componentId, streamId), context);
    }
}
