package io.updraft.pipeline.spec;

import io.updraft.pipeline.connector.SourceException;
import io.updraft.pipeline.connector.SourceSpec;
import io.updraft.pipeline.source.FileFinder;
import io.updraft.storm.yaml.YamlMap;
import io.updraft.storm.yaml.YamlNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

record SourceReader(YamlMap spec) {

    private static final List<String> KINDS = List.of("file", "stdin", "kafka", "http", "generator");

    /** Reads the source; returns null if the section is missing or names no valid kind. */
    SourceSpec read(String pipeline) {
        YamlNode node = spec.require("source");
        KindNode kind = node == null ? null : KindNode.of("'source'", node, KINDS, spec.mistakes());
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
        Section<SourceSpec.Files> section = new Section<>(map, SourceSpec.Files.class);
        SourceSpec.Files files = section.otherwise("resume", section.get("follow"))
                .with("header", false)
                .record();
        if (files.follow() && files.order() == SourceSpec.Files.Order.SEQUENCE) {
            map.mistake("order", "followed files are read together: leave out 'order' or 'follow'");
        }
        if (map.has("path") && files.paths().isEmpty()) {
            map.mistake("path", "'path' names no file: add at least one");
        }
        YamlNode where = map.has("path") ? map.at("path") : kind.where();
        files.paths().forEach(path -> check(where, path, files.follow()));
        return files;
    }

    private void check(YamlNode where, String path, boolean follow) {
        try {
            List<Path> found = FileFinder.find(List.of(path), follow);
            if (found.isEmpty() && !follow) {
                spec.mistakes().add(where, "no files: the directory is empty, or nothing matches the pattern: " + path);
            }
            found.stream()
                    .filter(file -> !Files.isReadable(file) && !(follow && waits(path, file)))
                    .forEach(file -> spec.mistakes().add(where, file + ": permission denied"));
        } catch (SourceException e) {
            if (!follow || !FileFinder.isPattern(path)) {
                spec.mistakes().add(where, e.getMessage());
            }
        }
    }

    // A run that follows a directory or a pattern waits for a file that cannot be read.
    private static boolean waits(String path, Path file) {
        return !file.equals(Path.of(path));
    }

    private SourceSpec stdin(KindNode kind) {
        return new Section<>(kind.map(spec, null), SourceSpec.Stdin.class)
                .with("header", false)
                .record();
    }

    private SourceSpec kafka(KindNode kind, String pipeline) {
        YamlMap map = kind.map(spec, null);
        Section<SourceSpec.Kafka> section = new Section<>(map, SourceSpec.Kafka.class).otherwise("group", pipeline);
        if (map.get("give_up") != null) {
            spec.mistakes()
                    .add(
                            map.keyNode("give_up"),
                            "'give_up' applies to the sinks too: move it to the top level of the pipeline, beside 'source'");
        }
        SourceSpec.Kafka kafka = section.record();
        return kafka.clusters().isEmpty() ? null : kafka;
    }

    private SourceSpec http(KindNode kind) {
        YamlMap map = kind.map(spec, "listen");
        Section<SourceSpec.Http> section = new Section<>(map, SourceSpec.Http.class);
        String listen = section.get("host");
        int colon = listen.lastIndexOf(':');
        int port = port(listen.substring(colon + 1));
        String host = colon < 0 ? listen : listen.substring(0, colon).replaceAll("[\\[\\]]", "");
        SourceSpec.Http http = section.with("host", host).with("port", port).record();
        YamlNode where = map.has("listen") ? map.at("listen") : kind.where();
        if (colon < 1 || port < 0) {
            spec.mistakes().add(where, "'listen' must be host:port, such as 127.0.0.1:8080, not '" + listen + "'");
            return null;
        }
        if (http.token() == null && !isLoopback(host)) {
            spec.mistakes()
                    .add(
                            where,
                            "other machines can reach 'listen' at " + host
                                    + ": give a 'token', or listen at 127.0.0.1");
        }
        if (http.token() != null && http.token().isBlank()) {
            map.mistake("token", "'token' is empty: give a secret text");
        }
        if (http.tls() != null) {
            readable(map.map("tls"), "certificate", http.tls().chain());
            readable(map.map("tls"), "key", http.tls().key());
        }
        return http;
    }

    private static void readable(YamlMap map, String key, Path file) {
        if (map.has(key) && !Files.isReadable(file)) {
            map.mistake(key, "'" + key + "': " + file + " is not there or cannot be read");
        }
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
        return new Section<>(map, SourceSpec.Generator.class)
                .with("dimensions", dimensions(map))
                .record();
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
}
