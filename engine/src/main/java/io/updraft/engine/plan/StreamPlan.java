package io.updraft.engine.plan;

import java.util.List;
import org.apache.storm.tuple.Fields;

/**
 * One declared output stream and everybody who subscribed to it.
 *
 * @param componentId the component that emits on it
 * @param streamId its name
 * @param fields the declared fields
 * @param direct whether it is emitted on with {@code emitDirect}
 * @param subscriptions one for each subscribing component and grouping
 */
public record StreamPlan(
        String componentId, String streamId, Fields fields, boolean direct, List<SubscriptionPlan> subscriptions) {}
