package io.updraft.console.operator;

import io.updraft.base.json.Json;
import io.updraft.base.json.JsonObject;
import io.updraft.observe.inspection.RequestHandler;
import io.updraft.observe.pipeline.ObservedPipeline;
import io.updraft.observe.pipeline.PartitionLag;
import io.updraft.observe.pipeline.PipelineProgress;
import io.updraft.observe.pipeline.RejectedSample;
import io.updraft.observe.view.QuantityFormat;
import io.updraft.observe.view.RecordTable;
import io.updraft.observe.view.Remark.Kind;
import io.updraft.observe.view.Remarks;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;

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
        handlers.put(
                "state",
                request ->
                        JsonObject.of("topologies", List.of(requests.state())).with("ending", requests.stopping));
        handlers.put("errors", request -> JsonObject.of("topologies", List.of(requests.errors())));
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

    private JsonObject state() {
        JsonObject state = JsonObject.of("name", name);
        Remarks remarks = remarks();
        String word = stopping ? "ending" : "running";
        state.put("state", word);
        state.put("condition", remarks.state(word));
        state.put("uptimeSeconds", (System.nanoTime() - begin) / NANOS_PER_SECOND);
        state.put("text", progress.get());
        state.put("remarks", remarks.views());
        PartitionLag.Ranking lags = pipeline.lags();
        state.put("lagging", lags.worst().size() + lags.more());
        state.put("lags", lags.worst().stream().map(LagView::of).toList());
        state.put("watermark", PipelineTimes.json(pipeline.watermark()));
        return state;
    }

    private record LagView(String partition, Long records, Double behindSeconds, String holdsWindowUntil) {
        static LagView of(PartitionLag lag) {
            return new LagView(
                    lag.partition(),
                    lag.records() < 0 ? null : Long.valueOf(lag.records()),
                    lag.timeMillis() < 0 ? null : Double.valueOf(lag.timeMillis() / MILLIS_PER_SECOND),
                    lag.holdsWindow() ? Instant.ofEpochMilli(lag.holdsUntil()).toString() : null);
        }
    }

    /** Returns what is worth saying: what is stuck, the partitions that are furthest behind, records without a result. */
    private Remarks remarks() {
        Remarks remarks = new Remarks();
        pipeline.troubles().forEach(line -> remarks.add(Kind.STUCK, null, line));
        addLags(pipeline.lags(), remarks);
        PipelineProgress now = pipeline.progress();
        remarks.add(Kind.ERROR, null, rejected(now.rejected(), now.records(), "cannot be used"));
        remarks.add(Kind.ERROR, null, rejected(now.late(), now.records(), "came too late for their windows"));
        return remarks;
    }

    static void addLags(PartitionLag.Ranking lags, Remarks remarks) {
        lags.worst().stream().limit(LAG_LINES).forEach(lag -> remarks.add(Kind.LAG, null, lag.line()));
        int more = lags.worst().size() + lags.more() - LAG_LINES;
        remarks.add(Kind.LAG, null, more > 0 ? "  ... and " + more + " more" : "");
    }

    private static String rejected(long rejected, long all, String why) {
        return rejected == 0
                ? ""
                : QuantityFormat.whole(rejected) + " of " + QuantityFormat.whole(all) + " records " + why;
    }

    private JsonObject overview() {
        JsonObject state = state();
        state.put("kind", "pipeline");
        return JsonObject.of("time", Instant.now().toString()).with("topologies", List.of(state));
    }

    /** Describes the pipeline for the console, with its counts. */
    private JsonObject live() {
        JsonObject live = state();
        live.put("kind", "pipeline");
        live.put("figures", PipelineFigures.json(pipeline, rates.get()));
        List<LagView> lags = pipeline.lags().worst().stream().map(LagView::of).toList();
        live.put("lags", Json.members(RecordTable.of(LagView.class, lags)));
        List<RejectedView> samples =
                pipeline.rejected().stream().map(RejectedView::of).toList();
        live.put("samples", Json.members(RecordTable.of(RejectedView.class, samples)));
        return live;
    }

    private record RejectedView(String kind, String time, String place, String reason, String record) {
        static RejectedView of(RejectedSample sample) {
            return new RejectedView(
                    sample.kind().name().toLowerCase(Locale.ROOT),
                    Instant.ofEpochMilli(sample.timeMillis()).toString(),
                    sample.place(),
                    sample.reason(),
                    sample.record());
        }
    }

    private JsonObject errors() {
        PipelineProgress now = pipeline.progress();
        JsonObject counts = new JsonObject();
        count(counts, "records that could not be used", now.rejected());
        count(counts, "late rows", now.late());
        count(counts, "overflowed groups", now.overflows());
        return JsonObject.of("name", name)
                .with("counts", counts)
                .with(
                        "newest",
                        pipeline.rejected().stream()
                                .map(PipelineRequests::error)
                                .toList());
    }

    private static void count(JsonObject counts, String kind, long number) {
        if (number > 0) {
            counts.put(kind, number);
        }
    }

    private static JsonObject error(RejectedSample sample) {
        return Json.members(RejectedView.of(sample)).with("line", sample.line());
    }

    private JsonObject top() {
        JsonObject top = new JsonObject();
        List<JsonObject> frame = new ArrayList<>();
        frame.add(JsonObject.of("text", progress.get()).with("style", "PLAIN"));
        remarks()
                .lines()
                .forEach(remark -> frame.add(JsonObject.of("text", remark.line())
                        .with("style", remark.kind().style().name())));
        top.put("frame", frame);
        top.put("topologies", List.of(state()));
        return top;
    }

    private JsonObject kill() {
        stopping = true;
        stop.run();
        return JsonObject.of("topology", name)
                .with("message", "pipeline '" + name + "' writes and commits its complete results, then ends");
    }
}
