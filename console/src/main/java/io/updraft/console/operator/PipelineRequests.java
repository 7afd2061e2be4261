package io.updraft.console.operator;

import io.updraft.observe.inspection.RequestHandler;
import io.updraft.observe.pipeline.ObservedPipeline;
import io.updraft.observe.pipeline.PartitionLag;
import io.updraft.observe.pipeline.PipelineProgress;
import io.updraft.observe.pipeline.RejectedSample;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Answers requests about the pipeline of a run, which is listed as a topology is. */
public final class PipelineRequests {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double MILLIS_PER_SECOND = 1e3;
    private static final int LAG_LINES = 3;

    private final String name;
    private final ObservedPipeline pipeline;
    private final Supplier<String> progress;
    private final Supplier<Map<String, Double>> rates;
    private final Runnable stop;
    private final long begin = System.nanoTime();
    private volatile boolean stopping;

    private PipelineRequests(
            String name,
            ObservedPipeline pipeline,
            Supplier<String> progress,
            Supplier<Map<String, Double>> rates,
            Runnable stop) {
        this.name = name;
        this.pipeline = pipeline;
        this.progress = progress;
        this.rates = rates;
        this.stop = stop;
    }

    /**
     * Returns the handlers for a pipeline; {@code progress} is a line about it, {@code rates} are those of the last second, {@code
     * stop} ends it in order.
     */
    public static Map<String, RequestHandler> handlers(
            String name,
            ObservedPipeline pipeline,
            Supplier<String> progress,
            Supplier<Map<String, Double>> rates,
            Runnable stop) {
        PipelineRequests requests = new PipelineRequests(name, pipeline, progress, rates, stop);
        Map<String, RequestHandler> handlers = new HashMap<>();
        handlers.put("state", request -> Map.of("topologies", List.of(requests.state())));
        handlers.put("errors", request -> Map.of("topologies", List.of(requests.errors())));
        handlers.put("top", request -> requests.top());
        handlers.put("kill", request -> requests.kill());
        handlers.put("overview", request -> requests.overview());
        handlers.put("live", request -> requests.live());
        for (String unknown : List.of("activate", "deactivate", "rebalance", "debug", "dead-letters", "replay")) {
            handlers.put(unknown, request -> {
                throw new IllegalArgumentException("'" + name + "' is a pipeline: '" + unknown + "' is for topologies");
            });
        }
        return handlers;
    }

    private Map<String, Object> state() {
        Map<String, Object> state = new LinkedHashMap<>();
        state.put("name", name);
        state.put("state", stopping ? "ending" : "running");
        state.put("uptimeSeconds", (System.nanoTime() - begin) / NANOS_PER_SECOND);
        state.put("text", progress.get());
        state.put("stuck", pipeline.troubles());
        PartitionLag.Ranking lags = pipeline.lags();
        state.put("lagging", lags.worst().size() + lags.more());
        state.put("lags", lags.worst().stream().map(PipelineRequests::json).toList());
        state.put("lagLines", lagLines(lags));
        state.put("watermark", PipelineTimes.json(pipeline.watermark()));
        return state;
    }

    private static Map<String, Object> json(PartitionLag lag) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("partition", lag.partition());
        json.put("records", lag.records() < 0 ? null : lag.records());
        json.put("behindSeconds", lag.timeMillis() < 0 ? null : lag.timeMillis() / MILLIS_PER_SECOND);
        json.put(
                "holdsWindowUntil",
                lag.holdsWindow() ? Instant.ofEpochMilli(lag.holdsUntil()).toString() : null);
        return json;
    }

    /** Returns the lines about the partitions that are furthest behind. */
    static List<String> lagLines(PartitionLag.Ranking lags) {
        List<String> lines = new ArrayList<>();
        lags.worst().stream().limit(LAG_LINES).forEach(lag -> lines.add(lag.line()));
        int more = lags.worst().size() + lags.more() - lines.size();
        if (more > 0) {
            lines.add("... and " + more + " more");
        }
        return lines;
    }

    private Map<String, Object> overview() {
        Map<String, Object> state = state();
        state.put("kind", "pipeline");
        state.put("troubles", pipeline.troubles());
        return Map.of("time", Instant.now().toString(), "topologies", List.of(state));
    }

    /** Describes the pipeline for the console, with its counts. */
    private Map<String, Object> live() {
        Map<String, Object> live = state();
        live.put("kind", "pipeline");
        live.put("figures", PipelineFigures.json(pipeline, rates.get()));
        live.put("troubles", pipeline.troubles());
        PartitionLag.Ranking lags = pipeline.lags();
        live.put(
                "lags",
                table(
                        List.of("partition", "records", "behindSeconds", "holdsWindowUntil"),
                        lags.worst().stream().map(PipelineRequests::json)));
        live.put(
                "samples",
                table(
                        List.of("kind", "time", "place", "reason", "record"),
                        pipeline.rejected().stream().map(PipelineRequests::json)));
        return live;
    }

    /** Makes a table of objects that have these members in this order. */
    private static Map<String, Object> table(List<String> columns, Stream<Map<String, Object>> objects) {
        return Map.of(
                "columns",
                columns,
                "rows",
                objects.map(each -> new ArrayList<>(each.values())).toList());
    }

    private static Map<String, Object> json(RejectedSample sample) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("kind", sample.kind().name().toLowerCase(Locale.ROOT));
        json.put("time", Instant.ofEpochMilli(sample.timeMillis()).toString());
        json.put("place", sample.place());
        json.put("reason", sample.reason());
        json.put("record", sample.record());
        return json;
    }

    private Map<String, Object> errors() {
        PipelineProgress now = pipeline.progress();
        Map<String, Object> counts = new LinkedHashMap<>();
        count(counts, "records that could not be used", now.bad());
        count(counts, "late rows", now.late());
        count(counts, "overflowed groups", now.overflows());
        Map<String, Object> errors = new LinkedHashMap<>();
        errors.put("name", name);
        errors.put("counts", counts);
        errors.put(
                "newest",
                pipeline.rejected().stream().map(PipelineRequests::error).toList());
        return errors;
    }

    private static void count(Map<String, Object> counts, String what, long number) {
        if (number > 0) {
            counts.put(what, number);
        }
    }

    private static Map<String, Object> error(RejectedSample sample) {
        Map<String, Object> error = json(sample);
        error.put("line", sample.line());
        return error;
    }

    private Map<String, Object> top() {
        Map<String, Object> top = new LinkedHashMap<>();
        List<Map<String, String>> frame = new ArrayList<>();
        frame.add(Map.of("text", progress.get(), "style", "PLAIN"));
        pipeline.troubles().forEach(line -> frame.add(Map.of("text", "stuck: " + line, "style", "BAD")));
        lagLines(pipeline.lags()).forEach(line -> frame.add(Map.of("text", "lag: " + line, "style", "PLAIN")));
        top.put("frame", frame);
        top.put("topologies", List.of(state()));
        return top;
    }

    private Map<String, Object> kill() {
        stopping = true;
        stop.run();
        return Map.of("message", "pipeline '" + name + "' writes and commits its complete results, then ends");
    }
}
