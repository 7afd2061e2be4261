package io.updraft.timeseries.aggregate;

import io.updraft.timeseries.query.AggregateFunction;
import io.updraft.timeseries.query.Measure;
import io.updraft.timeseries.query.Query;
import io.updraft.timeseries.record.FieldType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The layout of a group's state. Measures share accumulators: {@code avg(x)}, {@code sum(x)} and {@code stddev_pop(x)} together
 * need one sum and one count.
 *
 * <pre>
 *   | ids of the dimensions, two in a word | which fields had a value, bits | accumulators, one to three words each |
 * </pre>
 *
 * A counted field needs no bit. Of more than 64 other fields, the rest are counted too. Immutable; any thread may use it.
 */
final class GroupLayout {

    static final int COUNT_ROWS = 0;
    static final int COUNT_FIELD = 1;
    static final int SUM_LONG = 2;
    static final int SUM_DOUBLE = 3;
    static final int SQUARES_LONG = 4;
    static final int SQUARES_DOUBLE = 5;
    static final int MIN_LONG = 6;
    static final int MAX_LONG = 7;
    static final int MIN_DOUBLE = 8;
    static final int MAX_DOUBLE = 9;
    static final int MIN_TEXT = 10;
    static final int MAX_TEXT = 11;
    static final int LAST_LONG = 12;
    static final int LAST_DOUBLE = 13;
    static final int LAST_TEXT = 14;
    static final int DISTINCT = 15;
    static final int QUANTILE = 16;
    static final int FIRST_LONG = 17;
    static final int FIRST_DOUBLE = 18;
    static final int FIRST_TEXT = 19;
    /** All different values. */
    static final int VALUES = 20;

    private static final Set<AggregateFunction> COUNTED =
            Set.of(AggregateFunction.COUNT, AggregateFunction.AVG, AggregateFunction.STDDEV);

    /** The functions that keep objects and need to know nothing else of a field. */
    private static final Set<AggregateFunction> KEPT = Set.of(
            AggregateFunction.DISTINCT,
            AggregateFunction.QUANTILE,
            AggregateFunction.EXACT_DISTINCT,
            AggregateFunction.MODE,
            AggregateFunction.QUANTILE_CONT,
            AggregateFunction.QUANTILE_DISC);

    /**
     * An accumulator: some words of the state.
     *
     * @param code the kind of accumulator
     * @param slot of the input row; -1 for none
     * @param at its first word, counted from the start of the group
     * @param sketch the number of its object; -1 if it has none
     * @param text the number of its dictionary of texts; -1 if it has none
     * @param bit set in the word of bits when the field had a value; 0 if the field is counted
     */
    record Accumulator(int code, int slot, int at, int sketch, int text, long bit) {}

    final Query query;
    final int dimensions;
    final int[] slots;
    /** The number of words of the dimensions' ids. */
    final int keyWords;
    /** The index of the word of bits; -1 if there is none. */
    final int bitsAt;

    final int width;
    final int sketches;
    final Accumulator[] accumulators;
    /** The fields of the dictionaries of texts beyond those of the dimensions. */
    final List<String> texts = new ArrayList<>();
    /** The initial words of a group. */
    final long[] empty;

    private final Map<String, Accumulator> byName = new HashMap<>();
    private final Map<Integer, Long> bits = new HashMap<>();
    private final Set<Integer> counted = new HashSet<>();
    /** The fields of which each value's number of occurrences is kept. */
    private final Set<Integer> valuesCounted = new HashSet<>();

    private final List<Accumulator> found = new ArrayList<>();
    private int words;
    private int sketchesFound;

    GroupLayout(Query query) {
        this.query = query;
        dimensions = query.dimensions().size();
        slots = query.dimensions().stream().mapToInt(query.input()::slot).toArray();
        keyWords = dimensions + 1 >> 1;
        chooseBits();
        bitsAt = bits.isEmpty() ? -1 : keyWords;
        words = keyWords + (bits.isEmpty() ? 0 : 1);
        query.measures().forEach(this::count);
        query.measures().forEach(this::rest);
        accumulators = found.toArray(Accumulator[]::new);
        width = words;
        sketches = sketchesFound;
        empty = new long[width];
        for (Accumulator accumulator : accumulators) {
            fill(accumulator);
        }
    }

    /** Assigns bits to fields that are not counted. Counts the fields for which no bit is left. */
    private void chooseBits() {
        for (Measure measure : query.measures()) {
            if (measure.field() != null && COUNTED.contains(measure.function())) {
                counted.add(slot(measure));
            }
        }
        for (Measure measure : query.measures()) {
            boolean needsBit =
                    measure.field() != null && !counted.contains(slot(measure)) && !KEPT.contains(measure.function());
            if (needsBit && !bits.containsKey(slot(measure))) {
                if (bits.size() < 64) {
                    bits.put(slot(measure), 1L << bits.size());
                } else {
                    counted.add(slot(measure));
                }
            }
        }
    }

    private void count(Measure measure) {
        if (measure.field() == null) {
            accumulator(COUNT_ROWS, -1, 1);
        } else if (counted.contains(slot(measure))) {
            accumulator(COUNT_FIELD, slot(measure), 1);
        }
    }

    private void rest(Measure measure) {
        if (measure.field() == null) {
            return;
        }
        int slot = slot(measure);
        switch (measure.function()) {
            case COUNT -> {}
            case STDDEV -> {
                accumulator(code(measure), slot, 2);
                accumulator(type(slot) == FieldType.DOUBLE ? SQUARES_DOUBLE : SQUARES_LONG, slot, 3);
            }
            case SUM, AVG, FIRST, LAST -> accumulator(code(measure), slot, 2);
            case MIN, MAX -> accumulator(code(measure), slot, 1);
            case DISTINCT, QUANTILE, EXACT_DISTINCT -> accumulator(code(measure), slot, 0);
            case MODE, QUANTILE_CONT, QUANTILE_DISC -> {
                valuesCounted.add(slot);
                accumulator(code(measure), slot, 0);
            }
        }
    }

    FieldType type(int slot) {
        return query.input().fields().get(slot).type();
    }

    /** Returns the kind of the accumulator that has the value of a measure of a field. */
    int code(Measure measure) {
        FieldType type = type(slot(measure));
        return switch (measure.function()) {
            case COUNT -> COUNT_FIELD;
            case SUM, AVG, STDDEV -> type == FieldType.DOUBLE ? SUM_DOUBLE : SUM_LONG;
            case MIN -> code(type, MIN_LONG, MIN_DOUBLE, MIN_TEXT);
            case MAX -> code(type, MAX_LONG, MAX_DOUBLE, MAX_TEXT);
            case FIRST -> code(type, FIRST_LONG, FIRST_DOUBLE, FIRST_TEXT);
            case LAST -> code(type, LAST_LONG, LAST_DOUBLE, LAST_TEXT);
            case DISTINCT -> DISTINCT;
            case QUANTILE -> QUANTILE;
            case EXACT_DISTINCT, MODE, QUANTILE_CONT, QUANTILE_DISC -> VALUES;
        };
    }

    private static int code(FieldType type, int ofLong, int ofDouble, int ofText) {
        return type == FieldType.TEXT ? ofText : type == FieldType.DOUBLE ? ofDouble : ofLong;
    }

    static boolean isText(int code) {
        return code == MIN_TEXT || code == MAX_TEXT || code == FIRST_TEXT || code == LAST_TEXT;
    }

    static boolean isSketch(int code) {
        return code == DISTINCT || code == QUANTILE;
    }

    /** Returns whether an accumulator has the time of its value in the word before it. */
    static boolean hasTime(int code) {
        return code >= LAST_LONG && code <= LAST_TEXT || code >= FIRST_LONG && code <= FIRST_TEXT;
    }

    /** Returns new values of a field. */
    ValueCounts newValues(int slot) {
        return new ValueCounts(valuesCounted.contains(slot));
    }

    /** Returns whether there are estimates, which are not always serializable. */
    boolean estimates() {
        return found.stream().anyMatch(accumulator -> isSketch(accumulator.code));
    }

    private void accumulator(int code, int slot, int size) {
        if (find(code, slot) != null) {
            return;
        }
        int text = -1;
        if (isText(code) || code == VALUES && type(slot) == FieldType.TEXT) {
            text = texts.size();
            texts.add(query.input().fields().get(slot).name());
        }
        int sketch = isSketch(code) || code == VALUES ? sketchesFound++ : -1;
        Accumulator accumulator = new Accumulator(code, slot, words, sketch, text, bits.getOrDefault(slot, 0L));
        words += size;
        found.add(accumulator);
        byName.put(name(code, slot), accumulator);
    }

    /** Returns the accumulator of a kind and slot; null if there is none. */
    Accumulator find(int code, int slot) {
        return byName.get(name(code, slot));
    }

    private static String name(int code, int slot) {
        return code + "/" + slot;
    }

    private int slot(Measure measure) {
        return query.input().slot(measure.field());
    }

    private void fill(Accumulator accumulator) {
        switch (accumulator.code) {
            case MIN_LONG, MIN_DOUBLE, FIRST_LONG, FIRST_DOUBLE, FIRST_TEXT -> empty[accumulator.at] = Long.MAX_VALUE;
            case MAX_LONG, MAX_DOUBLE, LAST_LONG, LAST_DOUBLE, LAST_TEXT -> empty[accumulator.at] = Long.MIN_VALUE;
            default -> {}
        }
    }
}
