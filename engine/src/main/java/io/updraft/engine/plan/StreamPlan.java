package io.updraft.engine.plan;

import java.util.List;
import org.apache.storm.tuple.Fields;

/**
 * One declared output stream and its subscriptions.
 *
 * @param componentId the component that emits on the stream
 * @param streamId its name
 * @param fields the declared fields
 * @param direct whether the stream is declared direct, for {@code emitDirect}
 * @param subscriptions one for each subscribing component and grouping
 */
public record StreamPlan(
        String componentId, String streamId, Fields fields, boolean direct, List<SubscriptionPlan> subscriptions) {

    /** {@return whether the system has added the stream} */
    public boolean isSystem() {
        return SystemId.is(streamId);
    }
}
