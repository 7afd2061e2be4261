package io.updraft.cli;

import io.updraft.base.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Says what a profile has found. */
final class ProfileText {
    private static final Map<String, Double> DIVISORS = Map.of("bytes", 1048576.0, "ns", 1e6);
    private static final Map<String, String> UNITS = Map.of("bytes", "MiB", "ns", "ms of waiting");

    private ProfileText() {}

    static List<String> lines(String process, String component, JsonObject answer) {
        List<String> lines = new ArrayList<>();
        Object file = answer.get("file");
        lines.add(process + (file == null ? "nothing to show, so no file is written" : file)
                + figures(component, answer) + " (" + answer.get("tool") + ")");
        if (answer.get("endedAfterMillis") instanceof Number millis) {
            lines.add("  only of " + millis.longValue() / 1e3 + " s: the process has ended");
        }
        if (answer.get("fallback") != null) {
            lines.add("  " + answer.get("fallback"));
        }
        if (answer.get("sameClasses") instanceof List<?> same && !same.isEmpty()) {
            lines.add("  of the same classes, and therefore included: " + same);
        }
        return lines;
    }

    private static String figures(String component, JsonObject answer) {
        long total = ((Number) answer.get("total")).longValue();
        long own = ((Number) answer.get("own")).longValue();
        String unit = String.valueOf(answer.get("unit"));
        if (total < 0) {
            return "";
        }
        String name = UNITS.getOrDefault(unit, unit);
        return component == null
                ? ", " + figure(total, unit) + " " + name
                : String.format(
                        Locale.ROOT,
                        ", %s of %s %s (%.0f%%) are code of %s",
                        figure(own, unit),
                        figure(total, unit),
                        name,
                        total == 0 ? 0.0 : 100.0 * own / total,
                        component);
    }

    private static String figure(long number, String unit) {
        Double divisor = DIVISORS.get(unit);
        return divisor == null ? String.valueOf(number) : String.format(Locale.ROOT, "%.1f", number / divisor);
    }
}
