package io.updraft.pipeline.plan;

/** The plan of a run, made from a description. */
public sealed interface RunPlan permits AggregationPlan, RoutingPlan {

    /** Returns what runs of every kind have. */
    RunSettings settings();
}
