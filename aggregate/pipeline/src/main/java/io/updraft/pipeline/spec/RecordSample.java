package io.updraft.pipeline.spec;

import io.updraft.timeseries.decode.CsvFormat;
import io.updraft.timeseries.decode.DecodedColumn;
import io.updraft.timeseries.decode.NumberForm;
import io.updraft.timeseries.decode.SampleDecoder;
import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.TimeFormat;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Guesses the types of fields from the first records of a source, as the decoder reads them.
 *
 * @param whole whether the records are the whole input
 * @param nulls whether the sample may show which text stands for no value
 * @param commas whether numbers may have a decimal comma: in CSV with another delimiter
 */
record RecordSample(SampleDecoder decoder, boolean whole, boolean nulls, boolean commas) {

    private static final Set<String> NULLS = Set.of("NA", "N/A", "null", "NULL", "\\N", "None", "nan", "NaN");
    private static final Pattern TIME_NAME = Pattern.compile(
            "time|timestamp|ts|datetime|date|event_?time|@timestamp|when|.*_(time|at|ts)", Pattern.CASE_INSENSITIVE);
    private static final Pattern WHOLE = Pattern.compile("[+-]?\\d+");
    private static final Pattern CODE = Pattern.compile("[+-]?0\\d+");
    /** A number with a decimal comma, which cannot be a comma between groups of three digits. */
    private static final Pattern COMMA =
            Pattern.compile("[+-]?(0,\\d+|\\d{4,},\\d+|\\d+,(\\d{1,2}|\\d{4,})([eE][+-]?\\d+)?)");
    /** A number with a decimal comma and the grouping sign in its first group. */
    private static final Pattern GROUPED_COMMA =
            Pattern.compile("[+-]?\\d{1,3}([.'\u2019 \u00a0\u202f_])\\d{3}(?:\\1\\d{3})*,\\d+");
    /** Beyond this, floating-point numbers do not hold all whole numbers. */
    private static final long MAX_EXACT = 1L << 53;

    /** So many values decide of which type most values are. */
    private static final int MAX_VOTES = 500;

    static RecordSample none() {
        return new RecordSample(null, false, false, false);
    }

    /**
     * Decodes the first records.
     *
     * @param csv the format of CSV; null for JSON
     * @param explode the exploded path of JSON; null if there is none
     * @param whole whether the head is the whole input; otherwise its last record may be incomplete and is left out
     * @param nulls whether the sample may show which text stands for no value
     * @throws IllegalArgumentException when the header of CSV is invalid
     */
    static RecordSample of(byte[] head, CsvFormat csv, String explode, boolean whole, boolean nulls) {
        int end = head.length;
        while (!whole && end > 0 && head[end - 1] != '\n') {
            end--;
        }
        byte[] records = end == 0 ? head : Arrays.copyOf(head, end);
        return new RecordSample(
                new SampleDecoder(csv, explode, records),
                whole,
                nulls && mayHaveNull(records),
                csv != null && csv.delimiter() != ',');
    }

    /** Returns whether a text for no value is anywhere in the records. If not, their values need not be decoded to look for one. */
    private static boolean mayHaveNull(byte[] records) {
        String all = new String(records, StandardCharsets.ISO_8859_1);
        return NULLS.stream().anyMatch(all::contains);
    }

    boolean isEmpty() {
        return decoder == null || decoder.names().isEmpty();
    }

    /** Returns the names of the fields, in the order of their first appearance. */
    List<String> names() {
        return decoder == null ? List.of() : decoder.names();
    }

    /** Returns whether there is a field, or a value at a path. */
    boolean has(String path) {
        return names().contains(path) || !values(path).isEmpty();
    }

    private List<String> values(String path) {
        return decoder == null ? List.of() : decoder.values(path);
    }

    /** Returns a column for a field whose values stay as they stand in the records. */
    static DecodedColumn text(String name) {
        return DecodedColumn.of(name, FieldType.TEXT);
    }

    /** Returns whether the sample has values of a field, and none of them is a time. */
    boolean hasNoTime(String name) {
        List<String> values =
                values(name).stream().filter(value -> !value.isEmpty()).toList();
        return !values.isEmpty() && SampleDecoder.accepted(time(name), values).isEmpty();
    }

    DecodedColumn time(String name) {
        TimeFormat.Kind kind = isIso(name) ? null : epoch(name);
        return withNull(
                DecodedColumn.of(name, FieldType.TIME).at(kind == null ? TimeFormat.ISO : TimeFormat.epoch(kind)));
    }

    /**
     * Returns a column for a field, of the type that most values in the sample suggest.
     *
     * @param summed whether the values must be numbers: then all other values are mistakes if there is a number
     */
    DecodedColumn value(String name, boolean summed) {
        List<String> values = values(name);
        DecodedColumn comma = commas ? withComma(name, values) : null;
        if (comma != null) {
            return comma;
        }
        DecodedColumn number = withNull(DecodedColumn.of(name, FieldType.DOUBLE));
        boolean numbers = summed ? anyFits(number, values) : mostFit(number, values);
        boolean codes = !summed && values.stream().anyMatch(CODE.asMatchPredicate());
        if (values.isEmpty() || numbers && !codes) {
            return isWhole(number, values) ? wholeNumber(name) : number;
        }
        return Stream.of(FieldType.BOOLEAN, FieldType.TIME)
                .map(type -> withNull(DecodedColumn.of(name, type)))
                .filter(column -> !numbers && mostFit(column, values))
                .findFirst()
                .orElse(text(name));
    }

    /** Returns a column for a field, of the type of its values in the sample. Numbers that are all whole are not floating-point. */
    DecodedColumn typedValue(String name) {
        DecodedColumn column = value(name, false);
        List<String> numbers =
                column.type() == FieldType.DOUBLE ? SampleDecoder.accepted(column, values(name)) : List.of();
        DecodedColumn number = DecodedColumn.of(name, FieldType.LONG);
        boolean areWhole = !numbers.isEmpty()
                && numbers.stream()
                        .allMatch(value -> WHOLE.matcher(value).matches() && SampleDecoder.accepts(number, value));
        return areWhole ? wholeNumber(name) : column;
    }

    /** Returns a column of numbers with a decimal comma; null unless all values have this form, and one has no other. */
    private DecodedColumn withComma(String name, List<String> values) {
        DecodedColumn ungrouped =
                withNull(DecodedColumn.of(name, FieldType.DOUBLE).written(new NumberForm(',', NumberForm.NO_GROUPS)));
        List<String> present = values.stream()
                .filter(value -> !value.isEmpty() && !value.equals(ungrouped.nullText()))
                .toList();
        if (present.stream().anyMatch(COMMA.asMatchPredicate()) && allFit(ungrouped, present)) {
            return ungrouped;
        }
        return present.stream()
                .map(GROUPED_COMMA::matcher)
                .filter(Matcher::matches)
                .findFirst()
                .map(grouped ->
                        ungrouped.written(new NumberForm(',', grouped.group(1).charAt(0))))
                .filter(grouped -> allFit(grouped, present))
                .orElse(null);
    }

    private static boolean allFit(DecodedColumn column, List<String> values) {
        return SampleDecoder.accepted(column, values).size() == values.size();
    }

    private DecodedColumn wholeNumber(String name) {
        DecodedColumn column = withNull(DecodedColumn.of(name, FieldType.LONG));
        return whole
                ? column
                : column.guessed("guessed long; write --types " + name + ":double, or " + name
                        + ": double in 'flatten: fields'");
    }

    private static boolean anyFits(DecodedColumn column, List<String> values) {
        return values.stream().anyMatch(value -> SampleDecoder.accepts(column, value));
    }

    /** Returns whether the numbers in the sample are whole, and either all numbers or too large for the other type. */
    private boolean isWhole(DecodedColumn number, List<String> values) {
        List<String> numbers = SampleDecoder.accepted(number, values);
        DecodedColumn column = DecodedColumn.of(number.name(), FieldType.LONG);
        return !numbers.isEmpty()
                && numbers.stream()
                        .allMatch(value -> WHOLE.matcher(value).matches() && SampleDecoder.accepts(column, value))
                && (whole || numbers.stream().anyMatch(value -> Math.abs(Double.parseDouble(value)) >= MAX_EXACT));
    }

    /** Sets the text for no value if the sample has such a text where the column expects another type. */
    DecodedColumn withNull(DecodedColumn column) {
        boolean guess = nulls && column.from() == null && column.nullText() == null && column.type() != FieldType.TEXT;
        return !guess
                ? column
                : values(column.path()).stream()
                        .filter(value -> NULLS.contains(value) && !SampleDecoder.accepts(column, value))
                        .findFirst()
                        .map(column::none)
                        .orElse(column);
    }

    /** Returns whether a column takes most of the first values that are not its text for no value. */
    private static boolean mostFit(DecodedColumn column, List<String> values) {
        List<String> present = values.stream()
                .filter(value -> !value.isEmpty() && !value.equals(column.nullText()))
                .limit(MAX_VOTES)
                .toList();
        return 2 * SampleDecoder.accepted(column, present).size() > present.size();
    }

    List<String> timeCandidates() {
        Predicate<String> isEpoch = name -> !isIso(name) && hasTimeName(name) && epoch(name) != null;
        return Stream.<Predicate<String>>of(this::isIso, isEpoch)
                .flatMap(condition -> names().stream().filter(condition))
                .toList();
    }

    private boolean isIso(String name) {
        return mostFit(withNull(DecodedColumn.of(name, FieldType.TIME)), values(name));
    }

    private static boolean hasTimeName(String path) {
        return TIME_NAME.matcher(path.substring(path.lastIndexOf('.') + 1)).matches();
    }

    // From 1979 to 2286, epoch times in these units differ from each other, and from dates in digits such as 20260101.
    private TimeFormat.Kind epoch(String name) {
        DecodedColumn number = withNull(DecodedColumn.of(name, FieldType.DOUBLE));
        List<String> values = values(name);
        if (!mostFit(number, values)) {
            return null;
        }
        double first = values.stream()
                .filter(value -> SampleDecoder.accepts(number, value))
                .mapToDouble(Double::parseDouble)
                .findFirst()
                .orElse(0);
        if (first >= 3e8 && first < 1e10) {
            return TimeFormat.Kind.SECONDS;
        }
        if (first >= 3e11 && first < 1e13) {
            return TimeFormat.Kind.MILLIS;
        }
        if (first >= 3e14 && first < 1e16) {
            return TimeFormat.Kind.MICROS;
        }
        return first >= 3e17 && first < 1e19 ? TimeFormat.Kind.NANOS : null;
    }
}
