package io.updraft.observe.metrics;

/** The figures and the health of a run. Any thread may ask; an answer changes nothing in the run. */
public sealed interface MetricsSource permits PipelineMetrics, RunMetrics {
    /** Writes the figures. */
    void write(MetricsText text);

    /** {@return whether the process works; does not wait} */
    HealthReport live();

    /** {@return whether the run does its work} */
    HealthReport ready();
}
