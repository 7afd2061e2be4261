package io.updraft.pipeline.spec;

import io.updraft.pipeline.line.CsvLine;
import io.updraft.timeseries.decode.CsvFormat;
import io.updraft.timeseries.decode.DecodedColumn;
import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.TimeFormat;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/** The first records of a source as values by field name. Guesses the types of the fields from them. */
final class RecordSample {

    private static final int MAX_RECORDS = 200;
    private static final Pattern WHOLE = Pattern.compile("[+-]?\\d{1,18}");
    private static final Pattern NUMBER = Pattern.compile("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?");
    private static final Pattern ISO = Pattern.compile(
            "\\d{4}-\\d\\d-\\d\\d([T ]\\d\\d:\\d\\d(:\\d\\d([.,]\\d+)?)?\\s?(Z|[+-]\\d\\d(:?\\d\\d)?)?)?");
    private static final Set<String> NULLS = Set.of("NA", "N/A", "null", "NULL", "\\N", "None", "nan", "NaN");
    private static final Pattern TIME_NAME = Pattern.compile(
            "time|timestamp|ts|datetime|date|event_?time|@timestamp|when|.*_(time|at|ts)", Pattern.CASE_INSENSITIVE);

    private final Map<String, List<String>> values = new LinkedHashMap<>();
    private int records;

    private RecordSample() {}

    static RecordSample none() {
        return new RecordSample();
    }

    /** Reads records of CSV whose column names are known. Skips the first line if it is a header. */
    static RecordSample csv(byte[] head, CsvFormat format, boolean header) {
        RecordSample sample = new RecordSample();
        format.names().forEach(name -> sample.values.put(name, new ArrayList<>()));
        int from = header ? end(head, 0, format.quote()) : 0;
        while (from < head.length && sample.records < MAX_RECORDS) {
            int to = end(head, from, format.quote());
            if (to == head.length && head[to - 1] != '\n' && sample.records > 0) {
                break;
            }
            sample.addCsv(CsvLine.split(head, from, to, format.delimiter(), format.quote()), format);
            from = to;
        }
        return sample;
    }

    /** Returns the column names in the first line. */
    static List<String> header(byte[] head, char delimiter, char quote) {
        return CsvLine.split(head, 0, end(head, 0, quote), delimiter, quote);
    }

    // A line feed between quotes does not end a record.
    private static int end(byte[] head, int from, char quote) {
        boolean quoted = false;
        for (int i = from; i < head.length; i++) {
            if (head[i] == quote) {
                quoted = !quoted;
            } else if (head[i] == '\n' && !quoted) {
                return i + 1;
            }
        }
        return head.length;
    }

    private void addCsv(List<String> fields, CsvFormat format) {
        records++;
        for (int i = 0; i < Math.min(fields.size(), format.names().size()); i++) {
            if (!fields.get(i).equals(format.nullText()) && !fields.get(i).isEmpty()) {
                values.get(format.names().get(i)).add(fields.get(i));
            }
        }
    }

    /** Reads lines of JSON with the YAML reader: JSON is YAML too. */
    static RecordSample json(byte[] head) {
        RecordSample sample = new RecordSample();
        Load load = new Load(LoadSettings.builder().build());
        String text = new String(head, StandardCharsets.UTF_8);
        int end = head.length < 64 * 1024 ? text.length() : text.lastIndexOf('\n') + 1;
        for (String line : text.substring(0, end).split("\n")) {
            if (sample.records == MAX_RECORDS) {
                break;
            }
            if (line.startsWith("{")) {
                sample.addJson(load, line);
            }
        }
        return sample;
    }

    private void addJson(Load load, String line) {
        try {
            addValue("", load.loadFromString(line));
            records++;
        } catch (YamlEngineException | StackOverflowError e) {
            // The decoder will report it as a bad record; the sample leaves it out.
        }
    }

    private void addValue(String path, Object value) {
        if (value instanceof Map<?, ?> map) {
            map.forEach((name, inner) -> addValue(path.isEmpty() ? String.valueOf(name) : path + "." + name, inner));
        } else if (value != null && !(value instanceof List)) {
            values.computeIfAbsent(path, p -> new ArrayList<>()).add(String.valueOf(value));
        }
    }

    int records() {
        return records;
    }

    /** Returns the names of the fields, in the order of their first appearance. */
    List<String> names() {
        return List.copyOf(values.keySet());
    }

    /** Returns the values of a field; empty if there are none. */
    List<String> values(String name) {
        return values.getOrDefault(name, List.of());
    }

    /** Returns the text that stands for a missing value in columns of numbers; empty if there is none. */
    String nullText() {
        Set<String> odd = new TreeSet<>();
        for (String name : names()) {
            List<String> values = values(name);
            List<String> others = values.stream()
                    .filter(NUMBER.asMatchPredicate().negate())
                    .distinct()
                    .toList();
            if (others.size() == 1 && NULLS.contains(others.get(0)) && others.size() < values.size()) {
                odd.add(others.get(0));
            }
        }
        return odd.size() == 1 ? odd.iterator().next() : "";
    }

    /** Returns a column for a field, of the type that its values in the sample suggest. */
    DecodedColumn column(String name, boolean dimension, boolean time) {
        DecodedColumn column = DecodedColumn.of(name, time ? FieldType.TIME : type(name, dimension));
        return column.type() == FieldType.TIME ? column.at(timeFormat(name)) : column;
    }

    private FieldType type(String name, boolean dimension) {
        List<String> values = values(name);
        FieldType otherwise = dimension ? FieldType.TEXT : FieldType.DOUBLE;
        if (values.isEmpty()) {
            return otherwise;
        }
        if (all(values, WHOLE) && !(dimension && values.stream().anyMatch(value -> value.matches("[+-]?0\\d+")))) {
            return FieldType.LONG;
        }
        if (all(values, NUMBER)) {
            return otherwise;
        }
        if (values.stream().allMatch(value -> value.equals("true") || value.equals("false"))) {
            return FieldType.BOOLEAN;
        }
        return all(values, ISO) && !dimension ? FieldType.TIME : FieldType.TEXT;
    }

    private static boolean all(List<String> values, Pattern pattern) {
        return values.stream().allMatch(pattern.asMatchPredicate());
    }

    /** Returns the fields that can be the time of a record. */
    List<String> timeCandidates() {
        Predicate<String> isEpoch = name -> !isIso(name) && hasTimeName(name) && epoch(name) != null;
        return Stream.<Predicate<String>>of(this::isIso, isEpoch)
                .flatMap(condition -> names().stream().filter(condition))
                .toList();
    }

    private boolean isIso(String name) {
        return !values(name).isEmpty() && all(values(name), ISO);
    }

    private static boolean hasTimeName(String path) {
        return TIME_NAME.matcher(path.substring(path.lastIndexOf('.') + 1)).matches();
    }

    private TimeFormat timeFormat(String name) {
        TimeFormat.Kind kind = epoch(name);
        return kind == null ? TimeFormat.ISO : TimeFormat.epoch(kind);
    }

    // From 2001 to 2286, epoch times in these units differ in their number of digits.
    private TimeFormat.Kind epoch(String name) {
        List<String> values = values(name);
        if (values.isEmpty() || !all(values, NUMBER)) {
            return null;
        }
        double first = Double.parseDouble(values.get(0));
        if (first >= 1e9 && first < 1e10) {
            return TimeFormat.Kind.SECONDS;
        }
        if (first >= 1e12 && first < 1e13) {
            return TimeFormat.Kind.MILLIS;
        }
        if (first >= 1e15 && first < 1e16) {
            return TimeFormat.Kind.MICROS;
        }
        return first >= 1e18 && first < 1e19 ? TimeFormat.Kind.NANOS : null;
    }
}
