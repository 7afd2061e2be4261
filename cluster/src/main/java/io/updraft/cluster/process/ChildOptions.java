package io.updraft.cluster.process;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.utils.Utils;

/**
 * Builds the JVM options of a worker in the order of Storm's supervisor ({@code BasicContainer}): {@code worker.childopts},
 * {@code topology.worker.childopts}, then {@code topology.worker.gc.childopts} or else {@code worker.gc.childopts}. A string is
 * split at white space, without regard to quotes. The items of a list are taken as they are.
 *
 * <p>Storm's own default of {@code worker.childopts} is left out. It requests 768 MB and log files in a supervisor's directory.
 * Updraft chooses its own default instead.
 */
final class ChildOptions {
    private ChildOptions() {}

    /**
     * Builds the options.
     *
     * @param conf the whole configuration
     * @param names the replacements for {@code %ID%} and the other variables, by the name with its percent signs
     */
    static List<String> of(Map<String, Object> conf, Map<String, String> names) {
        List<String> options = new ArrayList<>();
        Object own = conf.get(Config.WORKER_CHILDOPTS);
        if (own != null && !own.equals(Defaults.WORKER_CHILDOPTS)) {
            options.addAll(parse(Config.WORKER_CHILDOPTS, own, names));
        }
        options.addAll(parse(Config.TOPOLOGY_WORKER_CHILDOPTS, conf.get(Config.TOPOLOGY_WORKER_CHILDOPTS), names));
        String gc = conf.get(Config.TOPOLOGY_WORKER_GC_CHILDOPTS) == null
                ? Config.WORKER_GC_CHILDOPTS
                : Config.TOPOLOGY_WORKER_GC_CHILDOPTS;
        options.addAll(parse(gc, conf.get(gc), names));
        return options;
    }

    static List<String> parse(String key, Object value, Map<String, String> names) {
        List<String> options = new ArrayList<>();
        if (value instanceof String text) {
            for (String option : replace(text, names).split("\\s+")) {
                add(options, option);
            }
        } else if (value instanceof List<?> list) {
            list.forEach(option -> add(options, replace(String.valueOf(option), names)));
        } else if (value != null) {
            throw new IllegalArgumentException(key + " is '" + value + "': it must be a string or a list of strings");
        }
        return options;
    }

    private static void add(List<String> options, String option) {
        if (!option.isBlank()) {
            options.add(option);
        }
    }

    private static String replace(String text, Map<String, String> names) {
        String result = text;
        for (Map.Entry<String, String> name : names.entrySet()) {
            result = result.replace(name.getKey(), name.getValue());
        }
        return result;
    }

    /** Loaded on first use, because reading Storm's defaults takes time. */
    private static final class Defaults {
        static final Object WORKER_CHILDOPTS = Utils.readDefaultConfig().get(Config.WORKER_CHILDOPTS);
    }
}
