package io.updraft.pipeline.spec;

import io.updraft.pipeline.connector.SourceSpec;
import io.updraft.pipeline.kafka.RouteOptions;
import io.updraft.storm.yaml.YamlMap;
import io.updraft.timeseries.decode.DecodeSpec;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads the section {@code route} and the other sections of a pipeline that routes. */
record RouteReader(YamlMap spec, YamlMap map) {

    /** The sections that a pipeline with 'route' cannot have. */
    private static final List<String> OTHERS = List.of("aggregate", "time", "sinks", "late", "keyed");

    /** Reads the pipeline between its source and its dead letters. The source is null if its own section has a mistake. */
    SpecReader.Processing read(SourceSpec source, DecodeReader decodes) {
        for (String key : OTHERS) {
            if (spec.has(key)) {
                spec.mistakes()
                        .add(
                                spec.keyNode(key),
                                "'" + key + "' cannot be combined with 'route', which aggregates nothing: leave one of"
                                        + " them out");
            }
        }
        RouteOptions route = options(source);
        DecodeSpec decode = source == null || route == null ? null : decode(route, decodes);
        FieldCheck check = decode == null ? null : FieldCheck.of(spec, decode, decodes);
        if (check != null) {
            check.checkKeys(map.at("key"), route.key(), "be a key");
        }
        return new SpecReader.Processing(decode, TimeSpec.NONE, null, route, List.of(), null, true);
    }

    private RouteOptions options(SourceSpec source) {
        Section<RouteOptions> section = new Section<>(map, RouteOptions.class);
        Duration answer = section.get("answer");
        if (map.has("answer") && source != null && !(source instanceof SourceSpec.Http)) {
            map.mistake("answer", "'answer' is only for a source that answers its clients: http");
        } else if (answer.compareTo(section.get("failover")) <= 0) {
            map.mistake(
                    map.has("answer") ? "answer" : "failover",
                    "'answer' must be longer than 'failover', or every request that fails over times out");
        }
        try {
            return section.recordOrNull();
        } catch (IllegalArgumentException e) {
            map.mistake("bootstrap", "'route': " + e.getMessage());
            return null;
        }
    }

    private DecodeSpec decode(RouteOptions route, DecodeReader decodes) {
        decodes.readFormat();
        Set<String> used = new LinkedHashSet<>(route.key());
        boolean rows = route.value() == RouteOptions.Value.ROW;
        List<String> fields = rows ? decodes.available(decodes.known()) : List.of();
        if (rows) {
            used.addAll(fields);
        }
        if (rows && fields.isEmpty() && !spec.map("flatten").has("fields")) {
            map.mistake("value", "'value: row' writes the fields of 'flatten: fields': add at least one field");
        }
        DecodeSpec decode = decodes.read(
                new FieldCheck.Use(Set.copyOf(route.key()), Set.of(), Set.of(), used, null), Map.of(), name -> null);
        if (!rows && decode != null && decode.explode() != null) {
            spec.mistakes()
                    .add(
                            spec.map("flatten").has("explode")
                                    ? spec.map("flatten").at("explode")
                                    : spec.at("flatten"),
                            "an exploded record has several keys and would be written once for each: set 'value: row' in"
                                    + " 'route'");
        }
        return decode;
    }
}
