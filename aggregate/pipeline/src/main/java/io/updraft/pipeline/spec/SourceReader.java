package io.updraft.pipeline.spec;

import io.updraft.pipeline.connector.SourceException;
import io.updraft.pipeline.connector.SourceSpec;
import io.updraft.pipeline.source.file.FileFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.snakeyaml.engine.v2.nodes.Node;

/** Reads the section {@code source}. */
record SourceReader(YamlMap spec) {

    private static final List<String> KINDS = List.of("file", "stdin", "kafka", "http", "generator");
    private static final int DEFAULT_RECORD_BYTES = 16 << 20;
    private static final int MAX_RECORD_BYTES = 1 << 30;
    private static final int MIN_RECORD_BYTES = 256 << 10;

    /** Reads the source; returns null if the section is missing or names no valid kind. */
    SourceSpec read(String pipeline) {
        Node node = spec.require("source");
        KindNode kind = node == null ? null : KindNode.of("'source'", node, KINDS, spec.mistakes);
        if (kind == null) {
            return null;
        }
        return switch (kind.name()) {
            case "file" -> file(kind);
            case "stdin" -> stdin(kind);
            case "kafka" -> kafka(kind, pipeline);
            case "http" -> http(kind);
            default -> generator(kind);
        };
    }

    private SourceSpec file(KindNode kind) {
        YamlMap map = kind.map(spec, "path");
        map.require("path");
        List<String> paths = map.texts("path");
        boolean follow = map.flag("follow", false);
        var order = map.choice("order", SourceSpec.Files.Order.TOGETHER);
        if (follow && order == SourceSpec.Files.Order.SEQUENCE) {
            map.mistake("order", "followed files are read together: leave out 'order' or 'follow'");
        }
        if (map.has("path") && paths.isEmpty()) {
            map.mistake("path", "'path' names no file: add at least one");
        }
        boolean resume = map.flag("resume", follow);
        int maxRecord = maxRecord(map);
        map.end();
        paths.forEach(path -> check(map.has("path") ? map.at("path") : kind.where(), path, follow));
        return new SourceSpec.Files(paths, follow, order, resume, false, maxRecord);
    }

    private static int maxRecord(YamlMap map) {
        return (int) map.size("max_record", DEFAULT_RECORD_BYTES, MIN_RECORD_BYTES, MAX_RECORD_BYTES);
    }

    private void check(Node where, String path, boolean follow) {
        try {
            List<Path> found = FileFinder.find(List.of(path), follow);
            if (found.isEmpty() && !follow) {
                spec.mistakes.add(where, "no files: the directory is empty, or nothing matches the pattern: " + path);
            }
            found.stream()
                    .filter(file -> !Files.isReadable(file) && !(follow && waits(path, file)))
                    .forEach(file -> spec.mistakes.add(where, file + ": permission denied"));
        } catch (SourceException e) {
            if (!follow || !FileFinder.isPattern(path)) {
                spec.mistakes.add(where, e.getMessage());
            }
        }
    }

    // A run that follows a directory or a pattern waits for a file that cannot be read.
    private static boolean waits(String path, Path file) {
        return !file.equals(Path.of(path));
    }

    private SourceSpec stdin(KindNode kind) {
        YamlMap map = kind.map(spec, null);
        int maxRecord = maxRecord(map);
        map.end();
        return new SourceSpec.Stdin(false, maxRecord);
    }

    private SourceSpec kafka(KindNode kind, String pipeline) {
        YamlMap map = kind.map(spec, null);
        map.require("topic");
        map.require("bootstrap");
        List<String> topics = map.words("topic");
        List<Map<String, String>> clusters = map.clusters();
        String group = map.text("group", pipeline);
        var start = map.choice("start", SourceSpec.Kafka.Start.EARLIEST);
        boolean toEnd = map.flag("to_end", false);
        String zookeeper = map.text("zookeeper", null);
        Duration session = map.has("session") ? positive(map, "session", Duration.ofSeconds(6)) : null;
        if (map.get("give_up") != null) {
            spec.mistakes.add(
                    map.keyNode("give_up"),
                    "'give_up' applies to the sinks too: move it to the top level of the pipeline, beside 'source'");
        }
        map.end();
        return clusters.isEmpty()
                ? null
                : new SourceSpec.Kafka(clusters, topics, group, start, toEnd, zookeeper, session);
    }

    private SourceSpec http(KindNode kind) {
        YamlMap map = kind.map(spec, "listen");
        String listen = map.text("listen", "127.0.0.1:8080");
        String token = map.text("token", null);
        int body = (int) map.size("max_body", 1 << 20, 1024, 1 << 30);
        long queue = map.size("queue", 16 << 20, 64 << 10, 16L << 30);
        Duration idle = positive(map, "idle", Duration.ofSeconds(30));
        int connections = (int) map.number("connections", 1000, 1, 1_000_000);
        SourceSpec.Http.Certificate tls = map.has("tls") ? certificate(map.map("tls")) : null;
        map.end();
        int colon = listen.lastIndexOf(':');
        int port = port(listen.substring(colon + 1));
        Node where = map.has("listen") ? map.at("listen") : kind.where();
        if (colon < 1 || port < 0) {
            spec.mistakes.add(where, "'listen' must be host:port, such as 127.0.0.1:8080, not '" + listen + "'");
            return null;
        }
        String host = listen.substring(0, colon).replaceAll("[\\[\\]]", "");
        if (token == null && !isLoopback(host)) {
            spec.mistakes.add(
                    where, "other machines can reach 'listen' at " + host + ": give a 'token', or listen at 127.0.0.1");
        }
        if (token != null && token.isBlank()) {
            map.mistake("token", "'token' is empty: give a secret text");
        }
        return new SourceSpec.Http(host, port, token, body, queue, idle, connections, tls);
    }

    private SourceSpec.Http.Certificate certificate(YamlMap map) {
        Path chain = readable(map, "certificate");
        Path key = readable(map, "key");
        map.end();
        return new SourceSpec.Http.Certificate(chain, key);
    }

    private Path readable(YamlMap map, String key) {
        Path file = Path.of(map.requireText(key));
        if (map.has(key) && !Files.isReadable(file)) {
            map.mistake(key, "'" + key + "': " + file + " is not there or cannot be read");
        }
        return file;
    }

    private static boolean isLoopback(String host) {
        return host.equals("localhost") || host.equals("::1") || host.matches("127\\.\\d+\\.\\d+\\.\\d+");
    }

    private static int port(String text) {
        boolean number = text.matches("\\d{1,5}") && Integer.parseInt(text) <= 65535;
        return number ? Integer.parseInt(text) : -1;
    }

    private SourceSpec generator(KindNode kind) {
        YamlMap map = kind.map(spec, null);
        var format = map.choice("format", SourceSpec.Generator.Format.JSON);
        long records = map.number("records", -1, 0, Long.MAX_VALUE / 2);
        long rate = map.number("rate", 0, 1, 1_000_000_000);
        long seed = map.number("seed", 1, Long.MIN_VALUE, Long.MAX_VALUE);
        int units = (int) map.number("units", 1, 1, 4096);
        String time = map.text("time", "time");
        Instant start = map.parse("start", Instant.parse("2026-01-01T00:00:00Z"), SourceReader::instant);
        Duration step = positive(map, "step", Duration.ofMillis(1));
        Map<String, Long> dimensions = dimensions(map);
        List<String> measures = map.has("measures") ? map.words("measures") : List.of("value");
        map.end();
        return new SourceSpec.Generator(format, records, rate, seed, units, time, start, step, dimensions, measures);
    }

    private static Instant instant(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException("'" + text + "' is not an instant; write it as 2026-01-01T00:00:00Z");
        }
    }

    private static Map<String, Long> dimensions(YamlMap map) {
        Map<String, Long> dimensions = new LinkedHashMap<>();
        YamlMap each = map.map("dimensions");
        each.names().forEach(name -> dimensions.put(name, each.number(name, 1, 1, Long.MAX_VALUE / 4)));
        if (dimensions.isEmpty()) {
            dimensions.put("metric", 1000L);
            dimensions.put("source", 10L);
        }
        return dimensions;
    }

    private Duration positive(YamlMap map, String key, Duration otherwise) {
        Duration duration = map.duration(key, otherwise);
        if (duration.isZero()) {
            map.mistake(key, "'" + key + "' must be longer than 0s");
            return otherwise;
        }
        return duration;
    }
}
