package io.updraft.pipeline.spec;

import io.updraft.pipeline.connector.SinkOptions;
import io.updraft.pipeline.connector.SourceSpec;
import io.updraft.pipeline.kafka.KafkaSinkOptions;
import io.updraft.pipeline.sink.ConsoleSinkOptions;
import io.updraft.pipeline.sink.FileSinkOptions;
import io.updraft.pipeline.sink.PostgresSinkOptions;
import io.updraft.pipeline.sink.RedisSinkOptions;
import io.updraft.pipeline.sink.RejectedRecordSinkOptions;
import io.updraft.pipeline.text.ResultFormat;
import io.updraft.storm.yaml.Mistakes;
import io.updraft.storm.yaml.YamlMap;
import io.updraft.storm.yaml.YamlNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Reads the sections {@code sinks}, {@code late} and {@code dead_letters}. */
final class SinkReader {

    private static final List<String> KINDS = List.of("stdout", "csv", "json", "parquet", "kafka", "redis", "postgres");
    private static final List<String> RECORD_KINDS = List.of("file", "kafka", "stderr");

    private final YamlMap spec;
    private final Mistakes mistakes;
    private final Map<Path, String> files = new HashMap<>();
    private boolean stdout;
    private boolean startsOver;

    /** Creates a reader. {@code read} are the files that the source reads: no sink may write to one of them. */
    SinkReader(YamlMap spec, List<Path> read) {
        this.spec = spec;
        this.mistakes = spec.mistakes();
        read.forEach(path -> files.put(path.toAbsolutePath().normalize(), "the source"));
    }

    /** Reads the sinks. The source is null if its own section has a mistake. */
    List<SinkOptions> sinks(String pipeline, SourceSpec from, boolean track) {
        SourceSpec.Kafka source = from instanceof SourceSpec.Kafka kafka ? kafka : null;
        startsOver = !track
                || from instanceof SourceSpec.Generator
                || from instanceof SourceSpec.Stdin
                || from instanceof SourceSpec.Files files && !files.resume();
        List<SinkOptions> sinks = new ArrayList<>();
        for (YamlNode node : spec.nodes("sinks")) {
            KindNode kind = KindNode.of("a sink", node, KINDS, mistakes);
            SinkOptions sink = kind == null ? null : sink(kind, pipeline, source);
            if (sink != null) {
                sinks.add(sink);
            }
        }
        if (!spec.has("sinks")) {
            sinks.add(ConsoleSinkOptions.table());
        } else if (spec.nodes("sinks").isEmpty()) {
            spec.mistake("sinks", "'sinks' is empty; add one of " + String.join(", ", KINDS));
        }
        return sinks;
    }

    private SinkOptions sink(KindNode kind, String pipeline, SourceSpec.Kafka source) {
        return switch (kind.name()) {
            case "stdout" -> stdout(kind);
            case "csv", "json", "parquet" -> file(kind, EnumText.parse(ResultFormat.class, kind.name()));
            case "kafka" -> kafka(kind, source);
            case "redis" -> redis(kind);
            default -> postgres(kind, pipeline, source);
        };
    }

    private void require(OptionalPart part, KindNode kind) {
        part.require(kind.where(), "the sink '" + kind.name() + "'", mistakes);
    }

    private SinkOptions stdout(KindNode kind) {
        YamlMap map = kind.map(spec, "style");
        if (stdout) {
            mistakes.add(
                    kind.where(),
                    "two sinks write to standard output, and would mix their lines: leave out one of them");
        }
        stdout = true;
        return made(kind, new Section<>(map, ConsoleSinkOptions.class));
    }

    private SinkOptions file(KindNode kind, ResultFormat format) {
        if (format == ResultFormat.PARQUET) {
            require(OptionalPart.PARQUET, kind);
        }
        YamlMap map = kind.map(spec, "path");
        Section<FileSinkOptions> section = new Section<>(map, FileSinkOptions.class).with("format", format);
        String path = section.get("path");
        if (map.get("resume") != null) {
            mistakes.add(
                    map.keyNode("resume"),
                    "'resume' is no longer needed: a file continues where the source does. Leave it out, or set"
                            + " 'anew: true' to overwrite the file in each run");
        }
        boolean perWindow = FileSinkOptions.isPerWindow(path);
        section.otherwise("replaces", startsOver && !perWindow);
        boolean anew = section.get("replaces");
        if (!anew && startsOver && !perWindow) {
            map.mistake(
                    "anew",
                    "'anew: false' appends to the results of an earlier run, but this source starts over with"
                            + " each run, so the file would have all results twice: set 'resume: true' in a file"
                            + " source, or leave out 'anew'");
        }
        claim(map, path, "another sink");
        return made(kind, section);
    }

    private void claim(YamlMap map, String path, String as) {
        String other =
                path.isEmpty() ? null : files.put(Path.of(path).toAbsolutePath().normalize(), as);
        if (other != null) {
            map.mistake("path", path + " is written to by this and used by " + other + " too; give each its own file");
        }
    }

    private SinkOptions kafka(KindNode kind, SourceSpec.Kafka source) {
        YamlMap map = kind.map(spec, null);
        Section<KafkaSinkOptions> section = new Section<>(map, KafkaSinkOptions.class);
        boolean exactlyOnce = section.get("group");
        if (exactlyOnce && !isOneCluster(source, section.get("client"))) {
            map.mistake(
                    "exactly_once",
                    "'exactly_once' writes results and positions in one transaction: it needs a source of one"
                            + " Kafka cluster, and in the sink the same 'bootstrap' as in the source");
        } else if (exactlyOnce && map.has("transactional_id")) {
            map.mistake(
                    "transactional_id",
                    "with 'exactly_once' each process gets its own 'transactional_id': leave it out");
        }
        String group = exactlyOnce && source != null ? source.group() : null;
        section.with("group", group).with("transactionalId", group == null ? section.get("transactionalId") : group);
        return made(kind, section);
    }

    private static boolean isOneCluster(SourceSpec.Kafka source, Map<String, String> client) {
        return source != null
                && source.clusters().size() == 1
                && Objects.equals(source.clusters().get(0).get("bootstrap.servers"), client.get("bootstrap.servers"));
    }

    private SinkOptions redis(KindNode kind) {
        require(OptionalPart.REDIS, kind);
        return made(kind, new Section<>(kind.map(spec, null), RedisSinkOptions.class));
    }

    private SinkOptions postgres(KindNode kind, String pipeline, SourceSpec.Kafka source) {
        require(OptionalPart.POSTGRESQL, kind);
        YamlMap map = kind.map(spec, null);
        Section<PostgresSinkOptions> section = new Section<>(map, PostgresSinkOptions.class);
        boolean positions = section.otherwise("pipeline", source == null).get("pipeline");
        if (positions && source != null) {
            map.mistake(
                    "positions",
                    "'positions' cannot be kept in PostgreSQL if the source is Kafka: Kafka stores them, where"
                            + " the next owner of a partition finds them; leave 'positions' out");
        }
        return made(kind, section.with("pipeline", positions ? pipeline : null));
    }

    /** Returns the record of a section; null if a required key is missing, or the record refuses a value. */
    private <R extends Record> R made(KindNode kind, Section<R> section) {
        try {
            return section.recordOrNull();
        } catch (IllegalArgumentException e) {
            mistakes.add(kind.where(), "'" + kind.name() + "': " + e.getMessage());
            return null;
        }
    }

    /** Reads the destination of late rows or dead letters; returns null if there is none. */
    RejectedRecordSinkOptions records(String key) {
        YamlNode node = spec.get(key);
        KindNode kind = node == null ? null : KindNode.of("'" + key + "'", node, RECORD_KINDS, mistakes);
        if (kind == null) {
            return null;
        }
        return switch (kind.name()) {
            case "file" -> lines(kind, key);
            case "kafka" -> made(kind, new Section<>(kind.map(spec, null), RejectedRecordSinkOptions.Topic.class));
            default -> made(kind, new Section<>(kind.map(spec, "first"), RejectedRecordSinkOptions.Sample.class));
        };
    }

    private RejectedRecordSinkOptions lines(KindNode kind, String key) {
        YamlMap map = kind.map(spec, "path");
        claim(map, map.text("path", ""), "'" + key + "'");
        return made(kind, new Section<>(map, RejectedRecordSinkOptions.Lines.class));
    }
}
