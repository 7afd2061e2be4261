package io.updraft.storm.conf;

import io.updraft.base.text.OneLine;
import java.io.IOException;
import java.io.Reader;
import java.net.URLEncoder;
import java.nio.charset.MalformedInputException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import org.apache.storm.shade.net.minidev.json.JSONValue;
import org.apache.storm.shade.net.minidev.json.parser.ParseException;
import org.apache.storm.shade.org.yaml.snakeyaml.LoaderOptions;
import org.apache.storm.shade.org.yaml.snakeyaml.Yaml;
import org.apache.storm.shade.org.yaml.snakeyaml.constructor.SafeConstructor;
import org.apache.storm.shade.org.yaml.snakeyaml.error.Mark;
import org.apache.storm.shade.org.yaml.snakeyaml.error.MarkedYAMLException;
import org.apache.storm.shade.org.yaml.snakeyaml.error.YAMLException;

/**
 * Configuration from outside the program. The order of precedence is Storm's, weakest first:
 *
 * <ol>
 *   <li>Storm's {@code defaults.yaml};
 *   <li>YAML files in the order given, as {@code storm.yaml};
 *   <li>the configuration that the program submits its topology with;
 *   <li>{@code -c key=value} options.
 * </ol>
 *
 * <p>Whole values are replaced, never merged, as in Storm. Immutable; safe to use from any thread.
 */
public final class StormConfig {

    /** No files and no options: only Storm's defaults and the program's configuration apply. */
    public static final StormConfig NONE = new StormConfig(Map.of(), Map.of());

    private final Map<String, Object> files;
    private final Map<String, Object> options;

    private StormConfig(Map<String, Object> files, Map<String, Object> options) {
        this.files = Collections.unmodifiableMap(files);
        this.options = Collections.unmodifiableMap(options);
    }

    /**
     * Reads files and options.
     *
     * @param files YAML files; a later one replaces the keys of an earlier one
     * @param options {@code key=value} each; a value that parses as JSON is JSON, any other is a string, as with {@code storm
     *     jar -c}
     * @return the configuration
     * @throws ConfigException when a file cannot be read or parsed (with file and line), or an option has no {@code =}
     */
    public static StormConfig read(List<Path> files, List<String> options) throws ConfigException {
        Map<String, Object> fromFiles = new LinkedHashMap<>();
        for (Path file : files) {
            fromFiles.putAll(YamlFile.read(file));
        }
        Map<String, Object> fromOptions = new LinkedHashMap<>();
        for (String option : options) {
            putOption(fromOptions, option);
        }
        return new StormConfig(fromFiles, fromOptions);
    }

    /** {@return the settings of the files, which are defaults of a topology's own configuration} */
    public Map<String, Object> files() {
        return files;
    }

    /**
     * {@return the settings of the cluster itself, as in {@code storm.yaml}: the files, overridden by options that do not begin
     * with {@code topology.}}
     */
    public Map<String, Object> daemon() {
        Map<String, Object> conf = new LinkedHashMap<>(files);
        options.forEach((key, value) -> {
            if (!key.startsWith("topology.")) {
                conf.put(key, value);
            }
        });
        return conf;
    }

    /** {@return the settings of the options, which override a topology's own configuration} */
    public Map<String, Object> options() {
        return options;
    }

    /** {@return the options in the form of Storm's system property {@code storm.options}: URL-encoded, separated by commas} */
    public String asStormOptions() {
        StringJoiner joined = new StringJoiner(",");
        options.forEach((key, value) -> joined.add(encoded(key) + "%3D" + encoded(JSONValue.toJSONString(value))));
        return joined.toString();
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static void putOption(Map<String, Object> options, String option) throws ConfigException {
        int equals = option.indexOf('=');
        if (equals < 1) {
            throw new ConfigException("-c " + option + ": expected key=value", null);
        }
        options.put(option.substring(0, equals), valueOf(option.substring(equals + 1)));
    }

    private static Object valueOf(String text) {
        try {
            return JSONValue.parseWithException(text);
        } catch (ParseException e) {
            return text;
        }
    }

    /** One configuration file in the form of {@code storm.yaml}, read by the parser that Storm uses. */
    private static final class YamlFile {
        private YamlFile() {}

        /** Reads a file, which must be a map of names to values. An empty file is an empty configuration. */
        static Map<String, Object> read(Path file) throws ConfigException {
            try (Reader in = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
                return mapOf(file, new Yaml(new SafeConstructor(new LoaderOptions())).load(in));
            } catch (MarkedYAMLException e) {
                Mark mark = e.getProblemMark();
                String at = mark == null ? "" : ":" + (mark.getLine() + 1) + ":" + (mark.getColumn() + 1);
                String context = e.getContext() == null ? "" : e.getContext() + ": ";
                throw new ConfigException(file + at + ": " + context + e.getProblem(), e);
            } catch (YAMLException e) {
                throw new ConfigException(file + ": " + OneLine.first(e), e);
            } catch (NoSuchFileException e) {
                throw new ConfigException(file + ": no such file", e);
            } catch (MalformedInputException e) {
                throw new ConfigException(file + ": is not UTF-8 text", e);
            } catch (IOException e) {
                throw new ConfigException(file + ": cannot be read: " + OneLine.first(e), e);
            }
        }

        private static Map<String, Object> mapOf(Path file, Object content) throws ConfigException {
            if (content == null) {
                return Map.of();
            }
            if (!(content instanceof Map<?, ?> map)) {
                throw new ConfigException(
                        file + ": expected lines of 'key: value', found "
                                + (content instanceof Iterable ? "a list" : "a single value: " + content),
                        null);
            }
            Map<String, Object> conf = new LinkedHashMap<>();
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                if (!(entry.getKey() instanceof String key)) {
                    throw new ConfigException(
                            file + ": the key '" + entry.getKey() + "' is not a string; put it in quotes", null);
                }
                conf.put(key, entry.getValue());
            }
            Optional<String> cycle = ConfCycle.in(conf);
            if (cycle.isPresent()) {
                throw new ConfigException(file + ": '" + cycle.get() + "' contains itself", null);
            }
            return conf;
        }
    }
}
