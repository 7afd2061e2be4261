package io.updraft.timeseries.decode;

import io.updraft.timeseries.record.Decimal;
import io.updraft.timeseries.record.Decimals;
import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.IsoTime;
import io.updraft.timeseries.record.RecordRow;
import io.updraft.timeseries.record.RejectedRecordException;
import io.updraft.timeseries.record.TimeFormat;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** Puts the value of a column into its slot, converted to its type as {@link DecodedColumn} defines. */
final class ColumnWriter {

    private static final byte[] TRUE = "true".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] FALSE = "false".getBytes(StandardCharsets.US_ASCII);

    private final DecodedColumn column;
    private final FieldType type;
    private final int slot;
    private final TimeFormat time;
    private final DateTimeFormatter pattern;
    private final byte[] fallback;
    private final byte[] nullText;
    private final Decimal decimal = new Decimal();
    /** Null if numbers are written as usual. */
    private final NumberReader numbers;
    /** The precedence of this reading of the column's path. */
    private final byte precedence;

    ColumnWriter(DecodedColumn column, int slot) {
        this(column, slot, 0);
    }

    private ColumnWriter(DecodedColumn column, int slot, int precedence) {
        this.precedence = (byte) precedence;
        this.column = column;
        this.type = column.type();
        this.slot = slot;
        this.time = column.time();
        this.pattern = time == null ? null : time.formatter();
        this.numbers = column.numbers() == null ? null : new NumberReader(column.numbers());
        this.fallback = column.fallback() == null ? null : column.fallback().getBytes(StandardCharsets.UTF_8);
        this.nullText = column.nullText() == null ? null : column.nullText().getBytes(StandardCharsets.UTF_8);
    }

    /** Returns a writer for each reading of the column's path, the one that takes precedence over all others first. */
    List<ColumnWriter> byPrecedence(int readings) {
        return IntStream.rangeClosed(1, readings)
                .mapToObj(each -> new ColumnWriter(column, slot, readings - each))
                .toList();
    }

    DecodedColumn column() {
        return column;
    }

    int slot() {
        return slot;
    }

    /** Returns whether {@link #number(RecordRow, byte[], int, int)} can take numbers. */
    boolean takesShortNumbers() {
        return precedence == 0
                && nullText == null
                && numbers == null
                && (type == FieldType.LONG || type == FieldType.DOUBLE);
    }

    /** Puts a {@link ShortNumber}. Returns false, and does nothing, if it does not fit or the slot has a value already. */
    boolean number(RecordRow row, byte[] bytes, int from, int shape) {
        if (row.has(slot)) {
            return false;
        }
        if (type == FieldType.DOUBLE) {
            row.setDouble(slot, ShortNumber.real(bytes, from, shape));
            return true;
        }
        if (ShortNumber.isWhole(shape)) {
            row.setLong(slot, ShortNumber.whole(bytes, from, shape));
            return true;
        }
        return false;
    }

    boolean isText() {
        return type == FieldType.TEXT;
    }

    boolean isReal() {
        return type == FieldType.DOUBLE;
    }

    byte precedence() {
        return precedence;
    }

    /** Returns whether a row without a value here needs a default or is rejected. */
    boolean needsValue() {
        return fallback != null || column.required();
    }

    void complete(RecordRow row) {
        if (row.has(slot)) {
            return;
        }
        if (column.required()) {
            throw new RejectedRecordException("column " + column.name() + ": required, but there is no value"
                    + (column.place().equals(column.name()) ? "" : " at " + column.place()));
        }
        text(row, fallback, 0, fallback.length);
    }

    void none(RecordRow row) {
        if (row.precedence(slot) == precedence) {
            row.setNone(slot);
            row.setPrecedence(slot, (byte) 0);
        }
    }

    /** Returns whether a value of another reading of the path takes precedence over this one. */
    private boolean yields(RecordRow row) {
        // In most records only one reading finds a value, usually that of names only.
        return (precedence != 0 || row.has(slot)) && yieldsToOther(row);
    }

    private boolean yieldsToOther(RecordRow row) {
        if (row.precedence(slot) > precedence) {
            return true;
        }
        row.setPrecedence(slot, precedence);
        return false;
    }

    /** Puts a field of CSV. Only in text do quotes tell an empty text, or the text for no value, from no value. */
    void field(RecordRow row, byte[] bytes, int from, int length, boolean quoted, boolean isNone) {
        if (type == FieldType.TEXT ? isNone && !quoted : isNone || length == 0) {
            row.setNone(slot);
        } else {
            text(row, bytes, from, length);
        }
    }

    void truth(RecordRow row, boolean is) {
        if (yields(row)) {
            return;
        }
        switch (type) {
            case BOOLEAN -> row.setLong(slot, is ? 1 : 0);
            case TEXT -> row.setText(slot, is ? TRUE : FALSE, 0, is ? TRUE.length : FALSE.length);
            default -> throw wrong(is ? "true" : "false");
        }
    }

    /** Puts a number. The bytes are the text of the number. */
    void number(RecordRow row, Decimal number, byte[] bytes, int from, int length) {
        if (yields(row)) {
            return;
        }
        switch (type) {
            case LONG -> whole(row, number, bytes, from, length);
            case DOUBLE -> real(row, number, bytes, from, length);
            case DECIMAL -> scaled(row, number, bytes, from, length);
            case TEXT -> row.setText(slot, bytes, from, length);
            case BOOLEAN -> truth(row, bytes, from, length);
            default -> time(row, number, bytes, from, length);
        }
    }

    void text(RecordRow row, byte[] bytes, int from, int length) {
        if (nullText != null && Arrays.equals(bytes, from, from + length, nullText, 0, nullText.length)) {
            none(row);
            return;
        }
        if (yields(row)) {
            return;
        }
        switch (type) {
            case TEXT -> row.setText(slot, bytes, from, length);
            case LONG -> whole(row, decimal(bytes, from, length), bytes, from, length);
            case DOUBLE -> real(row, decimal(bytes, from, length), bytes, from, length);
            case DECIMAL -> scaled(row, decimal(bytes, from, length), bytes, from, length);
            case BOOLEAN -> truth(row, bytes, from, length);
            default -> timeOfText(row, bytes, from, length);
        }
    }

    RejectedRecordException wrong(String found) {
        return new RejectedRecordException("column " + column.name() + ": expected " + expected() + ", found " + found
                + (column.guess() == null ? "" : "; " + column.guess()));
    }

    private String expected() {
        String example = numbers == null ? "" : " such as " + column.numbers().example(type == FieldType.LONG);
        return switch (type) {
            case TEXT -> "text";
            case LONG -> "a whole number of 64 bits" + example;
            case DOUBLE -> "a number" + example;
            case DECIMAL ->
                "a number of at most " + Decimals.MAX_DIGITS + " digits, " + column.scale() + " after the point"
                        + example;
            case BOOLEAN -> "true or false";
            case TIME ->
                "a time (" + (pattern == null ? time.kind().name().toLowerCase(Locale.ROOT) : time.pattern()) + ")";
        };
    }

    private Decimal decimal(byte[] bytes, int from, int length) {
        boolean isNumber =
                numbers == null ? decimal.text(bytes, from, length) : numbers.read(decimal, bytes, from, length);
        if (!isNumber) {
            throw wrong(Utf8Decoding.shown(bytes, from, length));
        }
        return decimal;
    }

    private void whole(RecordRow row, Decimal number, byte[] bytes, int from, int length) {
        if (!number.isWhole()) {
            throw wrong(Utf8Decoding.shown(bytes, from, length));
        }
        row.setLong(slot, number.value());
    }

    private void real(RecordRow row, Decimal number, byte[] bytes, int from, int length) {
        double value = number.real();
        if (Double.isInfinite(value)) {
            throw wrong(Utf8Decoding.shown(bytes, from, length));
        }
        row.setDouble(slot, value);
    }

    private void scaled(RecordRow row, Decimal number, byte[] bytes, int from, int length) {
        if (!number.isDecimal(column.scale())) {
            throw wrong(Utf8Decoding.shown(bytes, from, length));
        }
        row.setLong(slot, number.value());
    }

    private void truth(RecordRow row, byte[] bytes, int from, int length) {
        boolean isOne = length == 1 && bytes[from] == '1';
        boolean zero = length == 1 && bytes[from] == '0';
        if (isOne || is(TRUE, bytes, from, length)) {
            row.setLong(slot, 1);
        } else if (zero || is(FALSE, bytes, from, length)) {
            row.setLong(slot, 0);
        } else {
            throw wrong(Utf8Decoding.shown(bytes, from, length));
        }
    }

    private static boolean is(byte[] word, byte[] bytes, int from, int length) {
        boolean same = length == word.length;
        for (int i = 0; same && i < length; i++) {
            same = (bytes[from + i] | 0x20) == word[i];
        }
        return same;
    }

    private void timeOfText(RecordRow row, byte[] bytes, int from, int length) {
        switch (time.kind()) {
            case ISO -> put(row, IsoTime.parse(bytes, from, length, time.zone()), bytes, from, length);
            case PATTERN -> put(row, ofPattern(bytes, from, length), bytes, from, length);
            default -> time(row, decimal(bytes, from, length), bytes, from, length);
        }
    }

    private void time(RecordRow row, Decimal number, byte[] bytes, int from, int length) {
        if (time.kind() == TimeFormat.Kind.PATTERN) {
            put(row, ofPattern(bytes, from, length), bytes, from, length);
            return;
        }
        boolean fits = switch (time.kind()) {
            case SECONDS -> number.isScaled(3);
            case MILLIS -> number.isScaled(0);
            case MICROS -> number.isScaled(-3);
            case NANOS -> number.isScaled(-6);
            default -> false;
        };
        put(row, fits ? number.value() : IsoTime.NONE, bytes, from, length);
    }

    private void put(RecordRow row, long millis, byte[] bytes, int from, int length) {
        if (millis == IsoTime.NONE) {
            throw wrong(Utf8Decoding.shown(bytes, from, length));
        }
        row.setLong(slot, millis);
    }

    /** Parses a time by a pattern. Allocates, because java.time does. */
    private long ofPattern(byte[] bytes, int from, int length) {
        try {
            return TimeFormat.millis(pattern.parse(new String(bytes, from, length, StandardCharsets.UTF_8)));
        } catch (DateTimeException | ArithmeticException e) {
            return IsoTime.NONE;
        }
    }

    /**
     * Checks that the default is of the column's type.
     *
     * @param row to try it on
     * @throws IllegalArgumentException when it is not
     */
    void checkFallback(RecordRow row) {
        try {
            if (fallback != null) {
                text(row, fallback, 0, fallback.length);
            }
        } catch (RejectedRecordException e) {
            throw new IllegalArgumentException("default of " + e.getMessage(), e);
        }
    }
}
