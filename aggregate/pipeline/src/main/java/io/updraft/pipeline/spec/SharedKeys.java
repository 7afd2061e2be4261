package io.updraft.pipeline.spec;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The keys of a pipeline that its processes must agree on, since each has a part of the results. Sinks, limits and waits may
 * differ: each process may write a file of its own.
 */
public final class SharedKeys {

    private static final Set<String> WITH_KEYS = Set.of("aggregate", "route");
    private static final Set<String> WHOLE = Set.of("format", "flatten", "time");
    private static final Set<String> INSIDE = Set.of(
            "group_by",
            "measures",
            "every",
            "slide",
            "lateness",
            "early",
            "route.key",
            "route.topic",
            "route.partitions",
            "route.value");

    private SharedKeys() {}

    /** Returns the text of each of these keys, as {@code --explain} shows it. */
    public static Map<String, String> of(PipelineSpec spec) {
        Map<String, String> texts = new TreeMap<>();
        String section = "";
        String key = "";
        for (String line : SpecWriter.write(spec).split("\n")) {
            int depth = (line.length() - line.stripLeading().length()) / 2;
            String name = line.strip().split(":", 2)[0];
            section = depth == 0 ? name : section;
            if (depth == 0) {
                key = name;
            } else if (depth == 1 && WITH_KEYS.contains(section)) {
                key = section.equals("route") ? "route." + name : name;
            }
            if (WITH_KEYS.contains(section) ? INSIDE.contains(key) : WHOLE.contains(key)) {
                texts.merge(key, line, (before, more) -> before + "\n" + more);
            }
        }
        return texts;
    }
}
