package io.updraft.pipeline.sink;

import io.updraft.timeseries.aggregate.Window;
import io.updraft.timeseries.record.Field;
import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.Row;
import io.updraft.timeseries.record.Schema;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Makes the key of a group. In values, the per cent sign and the characters of the template between its parts are written as
 * {@code %XX}; a missing value is {@code %null}. So two groups never have the same key.
 */
final class KeyTemplate {

    private static final Pattern PART = Pattern.compile("\\{([^{}]*)\\}");
    private static final int START = -1;
    private static final int END = -2;
    private static final int UNIT = -3;
    private static final int MEASURE = -4;
    private static final Map<String, Integer> NAMED =
            Map.of("window_start", START, "window_end", END, "unit", UNIT, "measure", MEASURE);

    private final List<Object> parts = new ArrayList<>();
    private final FieldType[] types;
    private final String between;
    private final Values values = new Values("true", "false");

    /**
     * Creates a template for results.
     *
     * @throws SinkException when the template has an unknown part, or lacks a part that keeps the keys of groups distinct
     */
    KeyTemplate(String template, Schema columns, int dimensions, List<String> needed) throws SinkException {
        List<String> mistakes = new ArrayList<>();
        Map<String, Integer> known = new HashMap<>(NAMED);
        for (int slot = 0; slot < dimensions; slot++) {
            known.put(columns.fields().get(slot).name(), slot);
        }
        split(template, known, mistakes);
        List<String> all = new ArrayList<>(needed);
        columns.fields().subList(0, dimensions).stream().map(Field::name).forEach(all::add);
        all.stream()
                .filter(part -> !template.contains("{" + part + "}"))
                .forEach(part ->
                        mistakes.add("{" + part + "} is missing; without it, different results have the same key"));
        if (!mistakes.isEmpty()) {
            throw SinkException.lasting("key " + template + ": " + String.join("; ", mistakes), null);
        }
        types = columns.fields().stream().map(Field::type).toArray(FieldType[]::new);
        between = "%" + PART.matcher(template).replaceAll("");
    }

    private void split(String template, Map<String, Integer> known, List<String> mistakes) {
        Matcher part = PART.matcher(template);
        int end = 0;
        while (part.find()) {
            if (end == part.start() && end > 0) {
                mistakes.add("a separator is needed between " + part.group() + " and the part before it");
            }
            parts.add(template.substring(end, part.start()));
            Integer slot = known.get(part.group(1));
            if (slot == null) {
                mistakes.add(part.group() + " is unknown");
            } else {
                parts.add(slot);
            }
            end = part.end();
        }
        parts.add(template.substring(end));
    }

    String key(Window window, String unit, Row row, String measure) {
        StringBuilder key = new StringBuilder();
        for (Object part : parts) {
            if (part instanceof Integer slot) {
                key.append(value(slot, window, unit, row, measure));
            } else {
                key.append(part);
            }
        }
        return key.toString();
    }

    private String value(int slot, Window window, String unit, Row row, String measure) {
        return switch (slot) {
            case START -> Long.toString(window.start());
            case END -> Long.toString(window.end());
            case UNIT -> escaped(unit);
            case MEASURE -> escaped(measure);
            default -> escaped(text(row, slot));
        };
    }

    /** Returns the value of a slot as text; null if it has none. */
    String text(Row row, int slot) {
        if (!row.has(slot)) {
            return null;
        }
        return Values.isText(row, slot) ? (String) row.value(slot) : values.of(row, slot, types[slot]);
    }

    private String escaped(String text) {
        if (text == null) {
            return "%null";
        }
        StringBuilder escaped = null;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (between.indexOf(c) >= 0) {
                escaped = escaped == null ? new StringBuilder(text.substring(0, i)) : escaped;
                escaped.append(String.format("%%%02X", (int) c));
            } else if (escaped != null) {
                escaped.append(c);
            }
        }
        return escaped == null ? text : escaped.toString();
    }
}
