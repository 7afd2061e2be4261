package io.updraft.pipeline.run;

/** The plan of a run, made from a description. */
sealed interface RunPlan permits AggregationPlan, RoutingPlan {

    /** Returns what runs of every kind have. */
    RunSettings settings();
}
