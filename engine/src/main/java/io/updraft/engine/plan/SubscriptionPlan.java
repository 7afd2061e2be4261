package io.updraft.engine.plan;

import org.apache.storm.generated.Grouping;

/**
 * One component's subscription to a stream.
 *
 * @param targetComponentId the subscribing bolt
 * @param targetTasks its tasks in ascending order
 * @param grouping how a task is chosen
 */
public record SubscriptionPlan(String targetComponentId, int[] targetTasks, Grouping grouping) {}
