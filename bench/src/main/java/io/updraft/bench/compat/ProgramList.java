package io.updraft.bench.compat;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.apache.storm.shade.org.yaml.snakeyaml.LoaderOptions;
import org.apache.storm.shade.org.yaml.snakeyaml.Yaml;
import org.apache.storm.shade.org.yaml.snakeyaml.constructor.SafeConstructor;
import org.apache.storm.shade.org.yaml.snakeyaml.error.YAMLException;

/** Reads a list of programs: a YAML file that is a list of maps with the keys of {@link Program}. */
final class ProgramList {
    private static final Set<String> KEYS =
            Set.of("name", "main", "args", "conf", "same", "both", "without", "seconds", "alone", "note");

    /** Stands in arguments for the directory of the files that programs read. */
    private static final String FILES = "${files}";

    private ProgramList() {}

    /**
     * Reads a file.
     *
     * @param file the list
     * @param files the directory of the files that programs read
     * @throws IllegalArgumentException with one line that names the file, when it is not such a list
     */
    static List<Program> read(Path file, Path files) {
        try (Reader in = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            Object content = new Yaml(new SafeConstructor(new LoaderOptions())).load(in);
            if (!(content instanceof List<?> entries)) {
                throw new IllegalArgumentException(file + ": expected a list of programs");
            }
            List<Program> programs = new ArrayList<>();
            for (Object entry : entries) {
                programs.add(program(
                        file + ", program " + (programs.size() + 1),
                        files.toAbsolutePath().toString(),
                        entry));
            }
            return programs;
        } catch (IOException | YAMLException e) {
            throw new IllegalArgumentException(
                    file + ": cannot be read: "
                            + e.toString().lines().findFirst().orElse(""),
                    e);
        }
    }

    private static Program program(String where, String files, Object entry) {
        if (!(entry instanceof Map<?, ?> map) || !(map.get("main") instanceof String main)) {
            throw new IllegalArgumentException(where + ": expected 'main: <class>' and what goes with it");
        }
        map.keySet().stream().filter(key -> !KEYS.contains(key)).findFirst().ifPresent(key -> {
            throw new IllegalArgumentException(where + ": there is no key '" + key + "'");
        });
        return new Program(
                map.get("name") instanceof String name ? name : main.substring(main.lastIndexOf('.') + 1),
                main,
                strings(map.get("args")).stream()
                        .map(argument -> argument.replace(FILES, files))
                        .toList(),
                conf(map.get("conf"), files),
                patterns(where, map.get("same")),
                patterns(where, map.get("both")),
                text(map.get("without")),
                map.get("seconds") instanceof Integer seconds ? seconds : 0,
                Boolean.TRUE.equals(map.get("alone")),
                text(map.get("note")));
    }

    private static String text(Object value) {
        return value == null ? "" : value.toString();
    }

    private static List<String> strings(Object value) {
        if (value == null) {
            return List.of();
        }
        return value instanceof List<?> list
                ? list.stream().map(String::valueOf).toList()
                : List.of(value.toString());
    }

    private static Map<String, String> conf(Object value, String files) {
        Map<String, String> conf = new LinkedHashMap<>();
        if (value instanceof Map<?, ?> map) {
            map.forEach((key, setting) ->
                    conf.put(key.toString(), setting.toString().replace(FILES, files)));
        }
        return conf;
    }

    private static List<Pattern> patterns(String where, Object value) {
        try {
            return strings(value).stream().map(Pattern::compile).toList();
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException(
                    where + ": " + e.getMessage().lines().findFirst().orElse(""), e);
        }
    }
}
