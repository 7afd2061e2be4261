package io.updraft.pipeline.spec;

import io.updraft.kafka.router.RouterSettings;
import io.updraft.pipeline.sink.RecordSinkOptions;
import io.updraft.pipeline.sink.RouteOptions;
import io.updraft.pipeline.source.SourceSpec;
import io.updraft.timeseries.decode.DecodeSpec;
import io.updraft.timeseries.record.Field;
import io.updraft.timeseries.record.FieldType;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads the section {@code route} and the other sections of a pipeline that routes. */
final class RouteReader {

    /** The sections that a pipeline with 'route' cannot have. */
    private static final List<String> OTHERS = List.of("aggregate", "time", "sinks", "late", "keyed");

    private static final Duration ANSWER = Duration.ofSeconds(10);
    private static final long QUEUE = 64L << 20;

    private final YamlMap spec;
    private final YamlMap map;
    private final Mistakes mistakes;

    RouteReader(YamlMap spec) {
        this.spec = spec;
        this.map = spec.map("route");
        this.mistakes = spec.mistakes();
    }

    /** Reads the pipeline around the source; returns null if there is a mistake. */
    PipelineSpec read(String name, SourceSpec source, DecodeReader decodes, SinkReader sinks, Path state) {
        for (String key : OTHERS) {
            if (spec.has(key)) {
                mistakes.add(
                        spec.keyNode(key),
                        "'" + key + "' cannot be combined with 'route', which aggregates nothing: leave one of"
                                + " them out");
            }
        }
        RouteOptions route = options(source);
        DecodeSpec decode = source == null || route == null ? null : decode(route, decodes);
        if (decode == null) {
            // The sections that depend on the source or the route cannot be checked; reading them marks them as known.
            spec.get("format");
            spec.get("flatten");
        }
        RecordSinkOptions dead = sinks.records("dead_letters");
        int parallelism = (int)
                spec.number("parallelism", Math.max(1, Runtime.getRuntime().availableProcessors()), 1, 1024);
        boolean track = spec.flag("track", true);
        Duration alarm = spec.duration("alarm", SpecReader.ALARM);
        Duration giveUp = SpecReader.giveUp(spec);
        spec.end();
        if (decode != null) {
            checkKey(route, decode, decodes);
        }
        return mistakes.any() || decode == null
                ? null
                : new PipelineSpec(
                        name,
                        SpecReader.withHeader(source, decodes.header()),
                        decode,
                        new TimeSpec.None(),
                        null,
                        route,
                        List.of(),
                        null,
                        dead,
                        parallelism,
                        true,
                        track,
                        alarm,
                        giveUp,
                        state);
    }

    private RouteOptions options(SourceSpec source) {
        map.require("key");
        map.require("bootstrap");
        map.require("partitions");
        List<String> key = map.words("key");
        String topic = map.requireText("topic");
        Map<String, String> properties = map.all("properties");
        List<Map<String, String>> clusters = new ArrayList<>();
        for (String bootstrap : map.texts("bootstrap")) {
            Map<String, String> client = new LinkedHashMap<>(properties);
            client.put("bootstrap.servers", bootstrap);
            clusters.add(client);
        }
        int partitions = (int) map.number("partitions", 1, 1, 1_000_000);
        RouteOptions.Value value = map.choice("value", RouteOptions.Value.RECORD);
        RouterSettings usual = RouterSettings.of(List.of(new io.updraft.kafka.router.Target("", Map.of(), "")), 1);
        Duration failover = positive("failover", usual.failover());
        Duration probe = positive("probe", usual.probe());
        long queue = map.size("queue", QUEUE, 1 << 20, 64L << 30);
        Duration answer = positive("answer", ANSWER);
        if (map.has("answer") && source != null && !(source instanceof SourceSpec.Http)) {
            mistakes.add(map.at("answer"), "'answer' is only for a source that answers its clients: http");
        } else if (answer.compareTo(failover) <= 0) {
            mistakes.add(
                    map.has("answer") ? map.at("answer") : map.at("failover"),
                    "'answer' must be longer than 'failover', or every request that fails over times out");
        }
        map.end();
        if (key.isEmpty() || topic.isEmpty() || clusters.isEmpty()) {
            return null;
        }
        try {
            return new RouteOptions(key, topic, clusters, partitions, value, failover, probe, queue, answer);
        } catch (IllegalArgumentException e) {
            mistakes.add(map.at("bootstrap"), "'route': " + e.getMessage());
            return null;
        }
    }

    private Duration positive(String key, Duration otherwise) {
        Duration duration = map.duration(key, otherwise);
        if (duration.toMillis() < 1 || duration.toMillis() > Integer.MAX_VALUE) {
            mistakes.add(map.at(key), "'" + key + "' must be at least 1ms and less than 24 days");
            return otherwise;
        }
        return duration;
    }

    private DecodeSpec decode(RouteOptions route, DecodeReader decodes) {
        decodes.readFormat();
        Set<String> used = new LinkedHashSet<>(route.key());
        boolean rows = route.value() == RouteOptions.Value.ROW;
        List<String> known = decodes.available(decodes.known());
        if (rows) {
            used.addAll(known);
        }
        if (rows && known.isEmpty() && !spec.map("flatten").has("fields")) {
            mistakes.add(
                    map.at("value"), "'value: row' writes the fields of 'flatten: fields': add at least one field");
        }
        DecodeSpec decode = decodes.read(Set.copyOf(route.key()), used, null);
        if (!rows && decode != null && decode.explode() != null) {
            mistakes.add(
                    spec.map("flatten").has("explode") ? spec.map("flatten").at("explode") : spec.at("flatten"),
                    "an exploded record has several keys and would be written once for each: set 'value: row' in"
                            + " 'route'");
        }
        return decode;
    }

    private void checkKey(RouteOptions route, DecodeSpec decode, DecodeReader decodes) {
        FieldCheck check = FieldCheck.of(spec, decode, decodes);
        if (check == null) {
            return;
        }
        for (String name : route.key()) {
            Field field = check.find(map.at("key"), name);
            if (field != null && field.type() == FieldType.DOUBLE) {
                mistakes.add(
                        map.at("key"),
                        name
                                + " is a floating-point number, which cannot be a key; make it text or long in"
                                + " 'flatten: fields'");
            }
        }
    }
}
