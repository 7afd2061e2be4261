package io.updraft.timeseries.aggregate;

import io.updraft.timeseries.aggregate.GroupLayout.Accumulator;
import io.updraft.timeseries.query.AggregateFunction;
import io.updraft.timeseries.query.Measure;
import io.updraft.timeseries.query.WindowResult;
import io.updraft.timeseries.record.Decimals;
import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.RecordRow;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.datasketches.hll.HllSketch;
import org.apache.datasketches.kll.KllDoublesSketch;

/** Computes rows of results from the words of groups. Changes neither groups nor dictionaries; any thread may use it. */
final class ResultColumns {

    private final GroupLayout layout;
    private final Column[] columns;
    /** The columns that may overflow: sums of whole numbers and decimals. */
    private final Column[] sums;

    /**
     * How to compute a measure.
     *
     * @param scale the number of digits after the point of a DECIMAL, else 0
     * @param countAt the word that counts the values; -1 if a bit says whether there were any
     * @param at the word of the value, or of its first part
     * @param squaresAt the first word of the sum of the squares
     */
    private record Column(
            Measure measure, FieldType type, int scale, int countAt, int at, int squaresAt, Accumulator value) {

        /** By what to divide a whole number: a decimal is kept as one. */
        long unit() {
            return Decimals.power(scale);
        }
    }

    ResultColumns(GroupLayout layout) {
        this.layout = layout;
        columns = layout.query.measures().stream().map(this::column).toArray(Column[]::new);
        sums = Arrays.stream(columns)
                .filter(column -> column.measure.function() == AggregateFunction.SUM && column.type != FieldType.DOUBLE)
                .toArray(Column[]::new);
    }

    private Column column(Measure measure) {
        if (measure.field() == null) {
            return new Column(
                    measure,
                    FieldType.LONG,
                    0,
                    layout.find(GroupLayout.COUNT_ROWS, -1).at(),
                    0,
                    0,
                    null);
        }
        int slot = layout.query.input().slot(measure.field());
        FieldType type = layout.type(slot);
        Accumulator count = layout.find(GroupLayout.COUNT_FIELD, slot);
        Accumulator squares =
                layout.find(type == FieldType.DOUBLE ? GroupLayout.SQUARES_DOUBLE : GroupLayout.SQUARES_LONG, slot);
        Accumulator value = layout.find(layout.code(measure), slot);
        return new Column(
                measure,
                type,
                layout.query.input().fields().get(slot).scale(),
                count == null ? -1 : count.at(),
                GroupLayout.hasTime(value.code()) ? value.at() + 1 : value.at(),
                squares == null ? -1 : squares.at(),
                value);
    }

    boolean fits(GroupTable table, int group) {
        for (Column column : sums) {
            if (!fits(column, table.page(group), table.base(group))) {
                return false;
            }
        }
        return true;
    }

    private static boolean fits(Column column, long[] page, int base) {
        long low = page[base + column.at];
        return ExactSums.fitsLong(low, page[base + column.at + 1])
                && (column.type != FieldType.DECIMAL || Decimals.fits(low));
    }

    /** Returns the number of groups that have a measure that does not fit. */
    long overflows(GroupTable table) {
        return sums.length == 0
                ? 0
                : IntStream.range(0, table.size)
                        .filter(group -> !fits(table, group))
                        .count();
    }

    /** Returns the measures of a group that do not fit, and why. The row has the rest of the group. */
    WindowResult.Overflow overflow(GroupTable table, int group, RecordRow row) {
        long[] page = table.page(group);
        int base = table.base(group);
        String reason = Arrays.stream(sums)
                .filter(column -> !fits(column, page, base))
                .map(column -> column.measure.name() + ": the sum of " + column.measure.field() + " is "
                        + new BigDecimal(
                                        ExactSums.integer(page[base + column.at], page[base + column.at + 1]),
                                        column.scale)
                                .toPlainString()
                        + ", which does not fit into "
                        + (column.type == FieldType.DECIMAL ? Decimals.MAX_DIGITS + " digits" : "64 bits"))
                .collect(Collectors.joining("; "));
        return new WindowResult.Overflow(row, reason + ": make the field a floating-point number, or take its mean");
    }

    /** Puts the dimensions and measures of a group into a row. A measure that does not fit is omitted. */
    void fill(GroupTable table, int group, Dictionaries dictionaries, RecordRow row) {
        for (int i = 0; i < layout.dimensions; i++) {
            dictionaries.dimensions[i].put(table.id(group, i), row, i);
        }
        for (int i = 0; i < columns.length; i++) {
            fill(columns[i], table, group, dictionaries, row, layout.dimensions + i);
        }
    }

    private void fill(Column column, GroupTable table, int group, Dictionaries dictionaries, RecordRow row, int slot) {
        row.setNone(slot);
        long[] page = table.page(group);
        int base = table.base(group);
        switch (column.measure.function()) {
            case COUNT -> row.setLong(slot, page[base + column.countAt]);
            case DISTINCT -> row.setLong(slot, Sketches.distinct((HllSketch) sketch(column, table, group)));
            case QUANTILE -> quantile(column, (Quantiles) sketch(column, table, group), row, slot);
            case EXACT_DISTINCT -> {
                ValueCounts values = (ValueCounts) sketch(column, table, group);
                row.setLong(slot, values == null ? 0 : values.distinct());
            }
            case MODE, QUANTILE_CONT, QUANTILE_DISC -> {
                ValueCounts values = (ValueCounts) sketch(column, table, group);
                if (values != null) {
                    ofValues(column, values, dictionaries, row, slot);
                }
            }
            default -> {
                if (isPresent(column, page, base)) {
                    value(column, page, base, dictionaries, row, slot);
                }
            }
        }
    }

    private static Object sketch(Column column, GroupTable table, int group) {
        return table.sketch(group, column.value.sketch());
    }

    private boolean isPresent(Column column, long[] page, int base) {
        return column.countAt >= 0
                ? page[base + column.countAt] != 0
                : (page[base + layout.bitsAt] & column.value.bit()) != 0;
    }

    private void value(Column column, long[] page, int base, Dictionaries dictionaries, RecordRow row, int slot) {
        switch (column.measure.function()) {
            case SUM -> sum(column, page, base, row, slot);
            case AVG -> row.setDouble(slot, mean(column, page, base));
            case STDDEV -> row.setDouble(slot, deviation(column, page, base));
            default -> {
                long value = page[base + column.at];
                boolean isRaw = GroupLayout.hasTime(column.value.code());
                put(
                        column,
                        isRaw && column.type == FieldType.DOUBLE ? GroupState.flip(value) : value,
                        dictionaries,
                        row,
                        slot);
            }
        }
    }

    /** Puts a value into a row. A floating-point number is given as a whole number in its order. */
    private static void put(Column column, long value, Dictionaries dictionaries, RecordRow row, int slot) {
        switch (column.type) {
            case TEXT -> dictionaries.texts[column.value.text()].put((int) value, row, slot);
            case DOUBLE -> row.setDouble(slot, Double.longBitsToDouble(GroupState.flip(value)));
            default -> row.setLong(slot, value);
        }
    }

    private static void ofValues(
            Column column, ValueCounts values, Dictionaries dictionaries, RecordRow row, int slot) {
        double share = column.measure.quantile();
        switch (column.measure.function()) {
            case MODE -> put(column, mode(column, values, dictionaries), dictionaries, row, slot);
            case QUANTILE_DISC -> put(column, values.discrete(share), dictionaries, row, slot);
            default -> {
                ValueCounts.Between between = values.continuous(share);
                double lower = number(column, between.lower());
                double upper = number(column, between.upper());
                double value = lower == upper ? lower : lower + between.share() * (upper - lower);
                if (column.type == FieldType.TIME) {
                    long from = between.lower();
                    row.setLong(slot, from + (long) Math.floor(between.share() * (between.upper() - from)));
                } else {
                    row.setDouble(slot, value / column.unit());
                }
            }
        }
    }

    private static double number(Column column, long key) {
        return column.type == FieldType.DOUBLE ? Double.longBitsToDouble(GroupState.flip(key)) : key;
    }

    private static long mode(Column column, ValueCounts values, Dictionaries dictionaries) {
        TextDictionary texts = column.type == FieldType.TEXT ? dictionaries.texts[column.value.text()] : null;
        long[] most = {0, 0};
        values.forEach((key, count) -> {
            boolean isLess = count == most[1]
                    && (texts == null
                            ? key < most[0]
                            : TextDictionary.compare(texts, (int) key, texts, (int) most[0]) < 0);
            if (count > most[1] || isLess) {
                most[0] = key;
                most[1] = count;
            }
        });
        return most[0];
    }

    private static void sum(Column column, long[] page, int base, RecordRow row, int slot) {
        if (column.type == FieldType.DOUBLE) {
            row.setDouble(slot, ExactSums.sum(page, base + column.at));
        } else if (fits(column, page, base)) {
            row.setLong(slot, page[base + column.at]);
        }
    }

    private static double mean(Column column, long[] page, int base) {
        int at = base + column.at;
        long count = page[base + column.countAt];
        return column.type == FieldType.DOUBLE
                ? ExactSums.mean(page, at, count)
                : ExactSums.mean128(page[at], page[at + 1], count, column.unit());
    }

    private static double deviation(Column column, long[] page, int base) {
        long count = page[base + column.countAt];
        int at = base + column.at;
        int squares = base + column.squaresAt;
        return column.type == FieldType.DOUBLE
                ? ExactSums.deviationOfReals(count, page, at, squares)
                : ExactSums.deviation(count, page, at, squares) / column.unit();
    }

    private static void quantile(Column column, Quantiles quantiles, RecordRow row, int slot) {
        KllDoublesSketch sketch = quantiles == null ? null : quantiles.sketch();
        if (sketch != null && !sketch.isEmpty()) {
            row.setDouble(slot, sketch.getQuantile(column.measure.quantile()) / column.unit());
        }
    }
}
