package io.updraft.pipeline.spec;

import io.updraft.timeseries.decode.DecodedColumn;
import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.TimeFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Guesses the types of fields from the values of the first records. */
final class TypeInference {

    private static final Pattern WHOLE = Pattern.compile("[+-]?\\d{1,18}");
    private static final Pattern NUMBER = Pattern.compile("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?");
    private static final Pattern ISO = Pattern.compile(
            "\\d{4}-\\d\\d-\\d\\d([T ]\\d\\d:\\d\\d(:\\d\\d([.,]\\d+)?)?\\s?(Z|[+-]\\d\\d(:?\\d\\d)?)?)?");
    private static final Set<String> NULLS = Set.of("NA", "N/A", "null", "NULL", "\\N", "None", "nan", "NaN");
    private static final Pattern TIME_NAME = Pattern.compile(
            "time|timestamp|ts|datetime|date|event_?time|@timestamp|when|.*_(time|at|ts)", Pattern.CASE_INSENSITIVE);

    private final RecordSample sample;

    TypeInference(RecordSample sample) {
        this.sample = sample;
    }

    /** Returns the text that stands for a missing value in columns of numbers; empty if there is none. */
    String nullText() {
        Set<String> odd = new TreeSet<>();
        for (String name : sample.names()) {
            List<String> values = sample.values(name);
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
        List<String> values = sample.values(name);
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
                .flatMap(condition -> sample.names().stream().filter(condition))
                .toList();
    }

    private boolean isIso(String name) {
        return !sample.values(name).isEmpty() && all(sample.values(name), ISO);
    }

    private static boolean hasTimeName(String path) {
        return TIME_NAME.matcher(path.substring(path.lastIndexOf('.') + 1)).matches();
    }

    private TimeFormat timeFormat(String name) {
        TimeFormat.Kind kind = epoch(name);
        return kind == null ? TimeFormat.ISO : TimeFormat.epoch(kind);
    }

    // From 2001 to 2286, epoch times in seconds, milliseconds, microseconds and nanoseconds differ in their number of
    // digits.
    private TimeFormat.Kind epoch(String name) {
        List<String> values = sample.values(name);
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
