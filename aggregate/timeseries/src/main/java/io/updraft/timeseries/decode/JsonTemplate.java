package io.updraft.timeseries.decode;

import io.updraft.timeseries.record.Decimal;
import io.updraft.timeseries.record.KeyTexts;
import io.updraft.timeseries.record.RecordRow;
import io.updraft.timeseries.record.RejectedRecordException;
import io.updraft.timeseries.record.RowBlock;
import java.util.Arrays;

/**
 * The records of one producer, as the bytes that all of them have, and the values between: {@code {} key text
 * {@code "a":} number {@code ,"b":} number {@code }}}. A record that has these bytes, and a value of the same kind in each place, has the
 * syntax of the record that the template was made of, so that it need not be parsed. One thread only.
 *
 * <p>Apart from {@link JsonScanner}, which reads all records, so that the JVM compiles this short loop by itself and soon.
 */
final class JsonTemplate {

    private final int[] kinds;
    private final int[] slots;
    private final boolean[] real;
    /** Of each value, whether it may be a {@link ShortNumber} of its column. */
    private final boolean[] isShort;

    private final ColumnWriter[] columns;
    private final JsonLiterals literals;
    /** Parses key texts that were not seen before; null if that is not known. */
    private final JsonKeyTemplate newKeys;

    private final KeyTexts texts;
    private final KeyTexts.Form form;
    private final RecordRow row;
    private final Decimal decimal = new Decimal();

    private JsonTemplate(JsonTrace trace, byte[] in, int end, KeyTexts texts, KeyTexts.Form form, RecordRow row) {
        int count = trace.count;
        kinds = Arrays.copyOf(trace.kinds, count);
        columns = Arrays.copyOf(trace.columns, count);
        slots = new int[count];
        real = new boolean[count];
        isShort = new boolean[count];
        for (int i = 0; i < count; i++) {
            slots[i] = columns[i] == null ? -1 : columns[i].slot();
            real[i] = columns[i] != null && columns[i].isReal();
            isShort[i] = kinds[i] == JsonTrace.NUMBER && columns[i].takesShortNumbers();
        }
        literals = new JsonLiterals(
                in, trace.from, Arrays.copyOf(trace.starts, count), Arrays.copyOf(trace.ends, count), end);
        newKeys = trace.newKeys;
        this.texts = texts;
        this.form = form;
        this.row = row;
    }

    /**
     * Makes a template of a record.
     *
     * @param form the form of its key text; null if it has none
     * @param keys the columns of the key
     * @param row a row for values that are converted
     * @return null if the record cannot be a template
     */
    static JsonTemplate of(JsonTrace trace, byte[] in, int end, KeyColumns keys, KeyTexts.Form form, RecordRow row) {
        if (!trace.isUsable()) {
            return null;
        }
        boolean[] filled = new boolean[row.schema().size()];
        int keyTexts = 0;
        for (int i = 0; i < trace.count; i++) {
            keyTexts += trace.kinds[i] == JsonTrace.KEY ? 1 : 0;
            ColumnWriter column = trace.columns[i];
            if (column != null && (column.isText() || filled[column.slot()] || keys.has(column.slot()))) {
                return null;
            }
            if (column != null) {
                filled[column.slot()] = true;
            }
        }
        return keyTexts == (form == null ? 0 : 1) ? new JsonTemplate(trace, in, end, keys.texts(), form, row) : null;
    }

    /** Returns whether another template, which may be null, has the same records. */
    boolean isSame(JsonTemplate other) {
        return other != null
                && literals.isSame(other.literals)
                && Arrays.equals(kinds, other.kinds)
                && Arrays.equals(columns, other.columns);
    }

    /** Returns whether key texts that were not seen before are parsed. */
    boolean parsesKeys() {
        return newKeys != null;
    }

    /** Prepares a block for rows of this template. */
    void prepare(RowBlock block) {
        block.use(slots, real, form != null);
    }

    /**
     * Reads a record into the arrays of a block.
     *
     * @param end the end of the bytes that may belong to the record
     * @return the index after the record; -1 if it is not one of this template, or a value must be parsed otherwise
     */
    int read(byte[] in, int from, int end, RowBlock block) {
        int at = from;
        int count = kinds.length;
        for (int i = 0; i < count; i++) {
            if (!literals.is(i, in, at)) {
                return -1;
            }
            at += literals.length(i);
            at = isShort[i] ? number(i, in, at, end, block) : other(i, in, at, end, block);
            if (at < 0) {
                return -1;
            }
        }
        int after = at + literals.length(count);
        return after <= end && literals.is(count, in, at) ? after : -1;
    }

    private int number(int i, byte[] in, int at, int end, RowBlock block) {
        int length = ShortNumber.put(in, at, real[i], block.values(slots[i]), block.count());
        return length < 0 ? converted(i, in, at, decimal.json(in, at, end), block) : at + length;
    }

    /**
     * Converts a number or a text, such as a time, as {@link JsonScanner} does.
     *
     * @param after its end; negative if there is none
     * @return its end; -1 if there is none, or the column does not take it
     */
    private int converted(int i, byte[] in, int at, int after, RowBlock block) {
        if (after < 0) {
            return -1;
        }
        row.setNone(slots[i]);
        try {
            if (kinds[i] == JsonTrace.TEXT) {
                columns[i].text(row, in, at, after - at);
            } else {
                columns[i].number(row, decimal, in, at, after - at);
            }
        } catch (RejectedRecordException e) {
            return -1;
        }
        block.values(slots[i])[block.count()] = row.getLong(slots[i]);
        return row.has(slots[i]) ? after : -1;
    }

    private int other(int i, byte[] in, int at, int end, RowBlock block) {
        return switch (kinds[i]) {
            case JsonTrace.KEY -> key(in, at, end, block);
            case JsonTrace.UNREAD_NUMBER -> decimal.json(in, at, end);
            case JsonTrace.UNREAD_TEXT -> textEnd(in, at, end);
            case JsonTrace.NUMBER -> converted(i, in, at, decimal.json(in, at, end), block);
            default -> converted(i, in, at, textEnd(in, at, end), block);
        };
    }

    private int key(byte[] in, int at, int end, RowBlock block) {
        int number = texts.find(form, in, at, end);
        if (number < 0) {
            number = newKey(in, at, end);
            if (number < 0) {
                return -1;
            }
        }
        block.keyTexts()[block.count()] = number;
        return at + texts.length(number);
    }

    /** Parses a key text that was not found. Returns its number; -1 if that is not possible. */
    private int newKey(byte[] in, int at, int end) {
        int after = newKeys == null ? -1 : newKeys.read(in, at, end, row);
        return after < 0 ? -1 : texts.add(form, in, at, after, row);
    }

    /** Returns the index of the quote after a text without escapes and beyond ASCII; -1 if it has any, or does not end. */
    static int textEnd(byte[] in, int from, int end) {
        int at = JsonScanner.plainEnd(in, from, end);
        return at < end && in[at] == '"' ? at : -1;
    }
}
