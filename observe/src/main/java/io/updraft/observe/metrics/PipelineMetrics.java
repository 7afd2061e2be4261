package io.updraft.observe.metrics;

import io.updraft.observe.metrics.MetricsText.Kind;
import io.updraft.observe.pipeline.ObservedPipeline;
import io.updraft.observe.pipeline.PartitionLag;
import io.updraft.observe.pipeline.PipelineProgress;
import io.updraft.observe.pipeline.SourceProgress;
import java.util.ArrayList;
import java.util.List;

/** The figures and the health of the pipeline of a run. */
public final class PipelineMetrics implements MetricsSource {
    private static final String PIPELINE = "pipeline";
    private static final String PARTITION = "partition";

    private final String name;
    private volatile ObservedPipeline pipeline;
    private volatile boolean stopping;

    /** Creates the source for a pipeline that has not started. */
    public PipelineMetrics(String name) {
        this.name = name;
    }

    /** Notes that the pipeline has started. */
    public void started(ObservedPipeline running) {
        pipeline = running;
    }

    /** Notes that the pipeline writes its last results. */
    public void stops() {
        stopping = true;
    }

    @Override
    public void write(MetricsText text) {
        ObservedPipeline running = pipeline;
        text.family(Kind.GAUGE, "updraft_pipeline_running", "1 if the pipeline has started and has not failed.");
        text.sample(running != null && running.failure() == null ? 1 : 0, PIPELINE, name);
        if (running != null) {
            text.family(Kind.GAUGE, "updraft_pipeline_troubles", "Reads and writes that fail or make no progress now.");
            text.sample(running.troubles().size(), PIPELINE, name);
            write(running.progress(), text);
            write(running.lags().worst(), text);
        }
    }

    private void write(PipelineProgress progress, MetricsText text) {
        for (PipelineFigure figure : PipelineFigure.values()) {
            figure.begin(text);
            text.sample(figure.of(progress), PIPELINE, name);
        }
        if (progress.route() != null) {
            write(progress.route(), text);
        }
        for (String unit : List.of("records", "bytes")) {
            text.family(
                    Kind.GAUGE, "updraft_pipeline_source_lag_" + unit, "How far a source is behind its newest data.");
            lags(progress.sources(), unit, text);
        }
    }

    /** Writes the lags of the worst partitions only, so that the number of series is bounded. */
    private void write(List<PartitionLag> lags, MetricsText text) {
        text.family(
                Kind.GAUGE,
                "updraft_pipeline_partition_lag_records",
                "Records left to read, of the partitions that are furthest behind.");
        lags.stream()
                .filter(lag -> lag.records() >= 0)
                .forEach(lag -> text.sample(lag.records(), PIPELINE, name, PARTITION, lag.partition()));
        text.family(
                Kind.GAUGE,
                "updraft_pipeline_partition_time_lag_seconds",
                "How far the time of a partition is behind the latest one, of the partitions that are furthest behind.");
        lags.stream()
                .filter(lag -> lag.timeMillis() >= 0)
                .forEach(lag -> text.sample(lag.timeMillis() / 1e3, PIPELINE, name, PARTITION, lag.partition()));
    }

    private void write(PipelineProgress.Route route, MetricsText text) {
        long delivered =
                route.delivered().values().stream().mapToLong(Long::longValue).sum();
        text.family(Kind.COUNTER, "updraft_pipeline_delivered_records", "Routed records that a cluster has stored.");
        text.sample(delivered, PIPELINE, name);
        text.family(Kind.COUNTER, "updraft_pipeline_rerouted_records", "Records sent again after a failure.");
        text.sample(route.rerouted(), PIPELINE, name);
        text.family(Kind.COUNTER, "updraft_pipeline_undeliverable_records", "Records that no cluster accepts.");
        text.sample(route.failed(), PIPELINE, name);
        text.family(Kind.GAUGE, "updraft_pipeline_waiting_records", "Records that wait for brokers.");
        text.sample(route.waiting(), PIPELINE, name);
    }

    /** Writes the known lags of the sources in a unit. Sources are numbered in the order of the description. */
    private void lags(List<SourceProgress> sources, String unit, MetricsText text) {
        for (int source = 0; source < sources.size(); source++) {
            SourceProgress progress = sources.get(source);
            if (progress.lag() >= 0 && progress.unit().equals(unit)) {
                text.sample(progress.lag(), PIPELINE, name, "source", Integer.toString(source));
            }
        }
    }

    @Override
    public HealthReport live() {
        return HealthReport.of("alive", List.of(), List.of());
    }

    @Override
    public HealthReport ready() {
        ObservedPipeline running = pipeline;
        List<String> reasons = new ArrayList<>();
        if (running == null) {
            reasons.add("pipeline '" + name + "' has not started");
        } else if (running.failure() != null) {
            reasons.add("pipeline '" + name + "' has failed: " + running.failure());
        } else if (stopping) {
            reasons.add("pipeline '" + name + "' writes its last results");
        }
        return HealthReport.of("ready", reasons, List.of());
    }
}
