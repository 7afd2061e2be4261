package io.updraft.cli.operator;

import io.updraft.cluster.inspection.RequestHandler;
import io.updraft.pipeline.PipelineProgress;
import io.updraft.pipeline.RunningPipeline;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Answers requests about the pipeline of a run, which is listed as a topology is. */
public final class PipelineRequests {
    private static final double NANOS_PER_SECOND = 1e9;

    private final String name;
    private final RunningPipeline pipeline;
    private final Supplier<String> progress;
    private final Runnable stop;
    private final long begin = System.nanoTime();
    private volatile boolean stopping;

    private PipelineRequests(String name, RunningPipeline pipeline, Supplier<String> progress, Runnable stop) {
        this.name = name;
        this.pipeline = pipeline;
        this.progress = progress;
        this.stop = stop;
    }

    /** Returns the handlers for a pipeline; {@code progress} is a line about it, {@code stop} ends it in order. */
    public static Map<String, RequestHandler> handlers(
            String name, RunningPipeline pipeline, Supplier<String> progress, Runnable stop) {
        PipelineRequests requests = new PipelineRequests(name, pipeline, progress, stop);
        Map<String, RequestHandler> handlers = new HashMap<>();
        handlers.put("state", request -> Map.of("topologies", List.of(requests.state())));
        handlers.put("errors", request -> Map.of("topologies", List.of(requests.errors())));
        handlers.put("top", request -> requests.top());
        handlers.put("kill", request -> requests.kill());
        for (String unknown : List.of("activate", "deactivate", "rebalance", "debug", "dead-letters")) {
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
        return state;
    }

    private Map<String, Object> errors() {
        PipelineProgress now = pipeline.progress();
        Map<String, Object> counts = new LinkedHashMap<>();
        if (now.bad() > 0) {
            counts.put("records that could not be used", now.bad());
        }
        String first = pipeline.firstBad();
        Map<String, Object> errors = new LinkedHashMap<>();
        errors.put("name", name);
        errors.put("counts", counts);
        errors.put("newest", first == null ? List.of() : List.of(Map.of("line", "one of the first: " + first)));
        return errors;
    }

    private Map<String, Object> top() {
        Map<String, Object> top = new LinkedHashMap<>();
        List<Map<String, String>> frame = new ArrayList<>();
        frame.add(Map.of("text", progress.get(), "style", "PLAIN"));
        pipeline.troubles().forEach(line -> frame.add(Map.of("text", "stuck: " + line, "style", "BAD")));
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
