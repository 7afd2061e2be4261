package io.updraft.cli;

import io.updraft.base.json.JsonObject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Writes what the components of a process hold as lines, the largest first. */
final class HeldText {
    private static final int FIELDS = 5;
    private static final double MEBIBYTE = 1 << 20;

    private HeldText() {}

    static List<String> lines(JsonObject process) {
        List<String> lines = new ArrayList<>();
        lines.add("process " + process.get("pid") + ": heap " + size(process, "heapUsed") + " of "
                + size(process, "heapMax") + " used, with garbage; what components hold is an estimate");
        for (JsonObject topology : list(process, "topologies")) {
            list(topology, "components").stream()
                    .sorted(Comparator.comparingLong((JsonObject each) -> number(each, "heldBytes"))
                            .reversed())
                    .forEach(component -> add(component, lines));
        }
        return lines;
    }

    private static void add(JsonObject component, List<String> lines) {
        lines.add(String.format(
                Locale.ROOT,
                "%14s  %s  (%d tuples queued, %d trees in flight)",
                size(component, "heldBytes"),
                component.get("component"),
                number(component, "queued"),
                number(component, "inFlight")));
        for (JsonObject task : list(component, "tasks")) {
            list(task, "fields").stream()
                    .limit(FIELDS)
                    .forEach(field -> lines.add(String.format(
                            Locale.ROOT,
                            "%18s  task %d, field %s: %s",
                            size(field, "bytes"),
                            number(task, "task"),
                            field.get("field"),
                            field.get("largest") == null ? field.get("class") : field.get("largest"))));
        }
    }

    private static String size(JsonObject answer, String name) {
        return String.format(Locale.ROOT, "%.1f MiB", number(answer, name) / MEBIBYTE);
    }

    private static long number(JsonObject answer, String name) {
        return answer.get(name) instanceof Number number ? number.longValue() : 0;
    }

    @SuppressWarnings("unchecked")
    private static List<JsonObject> list(JsonObject answer, String name) {
        return answer.get(name) instanceof List<?> all ? (List<JsonObject>) all : List.of();
    }
}
