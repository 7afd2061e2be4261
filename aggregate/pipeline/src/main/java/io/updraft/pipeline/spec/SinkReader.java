package io.updraft.pipeline.spec;

import io.updraft.pipeline.connector.SinkOptions;
import io.updraft.pipeline.connector.SourceSpec;
import io.updraft.pipeline.kafka.KafkaSinkOptions;
import io.updraft.pipeline.sink.console.ConsoleSinkOptions;
import io.updraft.pipeline.sink.file.FileSinkOptions;
import io.updraft.pipeline.sink.postgres.PostgresSinkOptions;
import io.updraft.pipeline.sink.record.RecordSinkOptions;
import io.updraft.pipeline.sink.redis.RedisLayout;
import io.updraft.pipeline.sink.redis.RedisSinkOptions;
import io.updraft.pipeline.text.ResultFormat;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.snakeyaml.engine.v2.nodes.Node;

/** Reads the sections {@code sinks}, {@code late} and {@code dead_letters}. */
final class SinkReader {

    private static final List<String> KINDS = List.of("stdout", "csv", "json", "parquet", "kafka", "redis", "postgres");
    private static final List<String> RECORD_KINDS = List.of("file", "kafka", "stderr");
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final YamlMap spec;
    private final SpecMistakes mistakes;
    private final Map<Path, String> files = new HashMap<>();
    private boolean stdout;
    private boolean startsOver;

    /** Creates a reader. {@code read} are the files that the source reads: no sink may write to one of them. */
    SinkReader(YamlMap spec, List<Path> read) {
        this.spec = spec;
        this.mistakes = spec.mistakes;
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
        for (Node node : spec.nodes("sinks")) {
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
        var style = map.choice("style", ConsoleSinkOptions.Style.TABLE);
        int rows = (int) map.number("max_rows", ConsoleSinkOptions.table().maxRows(), 1, Integer.MAX_VALUE);
        map.end();
        return made(kind, () -> new ConsoleSinkOptions(style, rows));
    }

    private SinkOptions file(KindNode kind, ResultFormat format) {
        if (format == ResultFormat.PARQUET) {
            require(OptionalPart.PARQUET, kind);
        }
        YamlMap map = kind.map(spec, "path");
        String path = map.requireText("path");
        if (map.get("resume") != null) {
            mistakes.add(
                    map.keyNode("resume"),
                    "'resume' is no longer needed: a file continues where the source does. Leave it out, or set"
                            + " 'anew: true' to overwrite the file in each run");
        }
        boolean perWindow = FileSinkOptions.isPerWindow(path);
        boolean anew = map.flag("anew", startsOver && !perWindow);
        if (!anew && startsOver && !perWindow) {
            map.mistake(
                    "anew",
                    "'anew: false' appends to the results of an earlier run, but this source starts over with"
                            + " each run, so the file would have all results twice: set 'resume: true' in a file"
                            + " source, or leave out 'anew'");
        }
        map.end();
        if (path.isEmpty()) {
            return null;
        }
        claim(map.at("path"), path, "another sink");
        return made(kind, () -> new FileSinkOptions(format, path, anew));
    }

    private void claim(Node where, String path, String as) {
        String other = files.put(Path.of(path).toAbsolutePath().normalize(), as);
        if (other != null) {
            mistakes.add(where, path + " is written to by this and used by " + other + " too; give each its own file");
        }
    }

    private SinkOptions kafka(KindNode kind, SourceSpec.Kafka source) {
        YamlMap map = kind.map(spec, null);
        String topic = map.requireText("topic");
        Map<String, String> client = client(map);
        ResultFormat format = map.choice("format", ResultFormat.JSON);
        String transactional = map.text("transactional_id", null);
        boolean exactlyOnce = map.flag("exactly_once", false);
        if (exactlyOnce && !isOneCluster(source, client)) {
            map.mistake(
                    "exactly_once",
                    "'exactly_once' writes results and positions in one transaction: it needs a source of one"
                            + " Kafka cluster, and in the sink the same 'bootstrap' as in the source");
        } else if (exactlyOnce && transactional != null) {
            map.mistake(
                    "transactional_id",
                    "with 'exactly_once' each process gets its own 'transactional_id': leave it out");
        }
        map.end();
        String group = exactlyOnce && source != null ? source.group() : null;
        String id = group == null ? transactional : group;
        return client.get("bootstrap.servers") == null
                ? null
                : made(kind, () -> new KafkaSinkOptions(topic, format, id, group, client));
    }

    private static boolean isOneCluster(SourceSpec.Kafka source, Map<String, String> client) {
        return source != null
                && source.clusters().size() == 1
                && Objects.equals(source.clusters().get(0).get("bootstrap.servers"), client.get("bootstrap.servers"));
    }

    private static Map<String, String> client(YamlMap map) {
        Map<String, String> client = new LinkedHashMap<>(map.all("properties"));
        map.require("bootstrap");
        List<String> servers = map.texts("bootstrap");
        if (!servers.isEmpty()) {
            client.put("bootstrap.servers", String.join(",", servers));
        }
        return client;
    }

    private SinkOptions redis(KindNode kind) {
        require(OptionalPart.REDIS, kind);
        YamlMap map = kind.map(spec, null);
        URI server = map.has("server") ? map.parse("server", null, URI::create) : null;
        map.require("server");
        RedisLayout layout = map.choice("layout", RedisLayout.HASH);
        String key = map.requireText("key");
        Duration expiry = map.duration("expiry", null);
        Duration timeout = map.duration("timeout", TIMEOUT);
        map.end();
        return server == null ? null : made(kind, () -> new RedisSinkOptions(server, layout, key, expiry, timeout));
    }

    private SinkOptions postgres(KindNode kind, String pipeline, SourceSpec.Kafka source) {
        require(OptionalPart.POSTGRESQL, kind);
        YamlMap map = kind.map(spec, null);
        String url = map.requireText("url");
        String user = map.text("user", null);
        String password = map.text("password", null);
        String table = map.requireText("table");
        boolean create = map.flag("create", false);
        boolean positions = map.flag("positions", source == null);
        if (positions && source != null) {
            map.mistake(
                    "positions",
                    "'positions' cannot be kept in PostgreSQL if the source is Kafka: Kafka stores them, where"
                            + " the next owner of a partition finds them; leave 'positions' out");
        }
        Duration timeout = map.duration("timeout", TIMEOUT);
        map.end();
        String name = positions ? pipeline : null;
        return url.isEmpty() || table.isEmpty()
                ? null
                : made(kind, () -> new PostgresSinkOptions(url, user, password, table, create, name, timeout));
    }

    private <T> T made(KindNode kind, Supplier<T> maker) {
        try {
            return maker.get();
        } catch (IllegalArgumentException e) {
            mistakes.add(kind.where(), "'" + kind.name() + "': " + e.getMessage());
            return null;
        }
    }

    /** Reads the destination of late rows or dead letters; returns null if there is none. */
    RecordSinkOptions records(String key) {
        Node node = spec.get(key);
        KindNode kind = node == null ? null : KindNode.of("'" + key + "'", node, RECORD_KINDS, mistakes);
        if (kind == null) {
            return null;
        }
        return switch (kind.name()) {
            case "file" -> lines(kind, key);
            case "kafka" -> topic(kind);
            default -> sample(kind);
        };
    }

    private RecordSinkOptions lines(KindNode kind, String key) {
        YamlMap map = kind.map(spec, "path");
        String path = map.requireText("path");
        long most = map.size("max_size", 100_000_000, 1024, Long.MAX_VALUE / 2);
        int count = (int) map.number("files", 4, 1, 1000);
        map.end();
        if (path.isEmpty()) {
            return null;
        }
        claim(map.at("path"), path, "'" + key + "'");
        return made(kind, () -> new RecordSinkOptions.Lines(Path.of(path), most, count));
    }

    private RecordSinkOptions topic(KindNode kind) {
        YamlMap map = kind.map(spec, null);
        String topic = map.requireText("topic");
        Map<String, String> client = client(map);
        map.end();
        return client.get("bootstrap.servers") == null
                ? null
                : made(kind, () -> new RecordSinkOptions.Topic(topic, client));
    }

    private RecordSinkOptions sample(KindNode kind) {
        YamlMap map = kind.map(spec, "first");
        int first = (int) map.number("first", 10, 0, 1_000_000);
        map.end();
        return made(kind, () -> new RecordSinkOptions.Sample(first));
    }
}
