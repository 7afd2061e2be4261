package io.updraft.pipeline.sink.redis;

import io.updraft.pipeline.connector.SinkException;
import io.updraft.pipeline.text.ValueText;
import io.updraft.timeseries.query.TimeWindow;
import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.RecordRow;
import io.updraft.timeseries.record.Schema;
import io.updraft.timeseries.record.SchemaField;
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
final class RedisKeyTemplate {

    private static final Pattern PART = Pattern.compile("\\{([^{}]*)\\}");

    /** The text between two parts, or the value of a part. */
    @FunctionalInterface
    private interface Piece {
        String text(TimeWindow window, String unit, RecordRow row, String measure);
    }

    private final List<Piece> parts = new ArrayList<>();
    private final FieldType[] types;
    private final String between;
    private final ValueText values = new ValueText("true", "false");

    /**
     * Creates a template for results.
     *
     * @throws SinkException when the template has an unknown part, or lacks a part that keeps the keys of groups distinct
     */
    RedisKeyTemplate(String template, Schema columns, int dimensions, List<String> needed) throws SinkException {
        List<String> mistakes = new ArrayList<>();
        Map<String, Piece> known = new HashMap<>();
        known.put("window_start", (window, unit, row, measure) -> Long.toString(window.start()));
        known.put("window_end", (window, unit, row, measure) -> Long.toString(window.end()));
        known.put("unit", (window, unit, row, measure) -> escaped(unit));
        known.put("measure", (window, unit, row, measure) -> escaped(measure));
        for (int i = 0; i < dimensions; i++) {
            int slot = i;
            known.put(columns.fields().get(i).name(), (window, unit, row, measure) -> escaped(text(row, slot)));
        }
        split(template, known, mistakes);
        List<String> all = new ArrayList<>(needed);
        columns.fields().subList(0, dimensions).stream().map(SchemaField::name).forEach(all::add);
        all.stream()
                .filter(part -> !template.contains("{" + part + "}"))
                .forEach(part ->
                        mistakes.add("{" + part + "} is missing; without it, different results have the same key"));
        if (!mistakes.isEmpty()) {
            throw SinkException.lasting("key " + template + ": " + String.join("; ", mistakes), null);
        }
        types = columns.fields().stream().map(SchemaField::type).toArray(FieldType[]::new);
        between = "%" + PART.matcher(template).replaceAll("");
    }

    private void split(String template, Map<String, Piece> known, List<String> mistakes) {
        Matcher part = PART.matcher(template);
        int end = 0;
        while (part.find()) {
            if (end == part.start() && end > 0) {
                mistakes.add("a separator is needed between " + part.group() + " and the part before it");
            }
            addText(template.substring(end, part.start()));
            Piece value = known.get(part.group(1));
            if (value == null) {
                mistakes.add(part.group() + " is unknown");
            } else {
                parts.add(value);
            }
            end = part.end();
        }
        addText(template.substring(end));
    }

    private void addText(String text) {
        parts.add((window, unit, row, measure) -> text);
    }

    String key(TimeWindow window, String unit, RecordRow row, String measure) {
        StringBuilder key = new StringBuilder();
        parts.forEach(part -> key.append(part.text(window, unit, row, measure)));
        return key.toString();
    }

    /** Returns the value of a slot as text; null if it has none. */
    String text(RecordRow row, int slot) {
        if (!row.has(slot)) {
            return null;
        }
        return ValueText.isText(row, slot) ? (String) row.value(slot) : values.of(row, slot, types[slot]);
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
