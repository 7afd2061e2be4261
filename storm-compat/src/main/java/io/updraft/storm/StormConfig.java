package io.updraft.storm;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import org.apache.storm.shade.net.minidev.json.JSONValue;
import org.apache.storm.shade.net.minidev.json.parser.ParseException;
import org.apache.storm.utils.Utils;

/**
 * Configuration from outside the program, in Storm's order of precedence, weakest first:
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

    /** Nothing given: Storm's defaults and what the program says. */
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
     * @param options {@code key=value} each; the value is JSON where it parses as such and else a string, as with
     *     {@code storm jar -c}
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

    /** {@return what the files say: it lies beneath a topology's own configuration} */
    public Map<String, Object> files() {
        return files;
    }

    /**
     * {@return what is said to the cluster itself, as in {@code storm.yaml}: the files, and over them the options that are not about
     * topologies}
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

    /** {@return what the options say: it overrides a topology's own configuration} */
    public Map<String, Object> options() {
        return options;
    }

    /**
     * Puts a topology's configuration in its place between files and options.
     *
     * @param topologyConf the configuration that the program submits
     * @return a new, modifiable map with everything, Storm's defaults included
     */
    public Map<String, Object> around(Map<String, Object> topologyConf) {
        Map<String, Object> conf = new HashMap<>(Defaults.STORM);
        conf.putAll(files);
        conf.putAll(topologyConf);
        conf.putAll(options);
        return conf;
    }

    /** The options in the form of Storm's system property {@code storm.options}: URL-encoded, separated by commas. */
    String asStormOptions() {
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

    /** Read when first needed: parsing takes some tens of milliseconds. */
    private static final class Defaults {
        static final Map<String, Object> STORM = Collections.unmodifiableMap(Utils.readDefaultConfig());
    }
}
