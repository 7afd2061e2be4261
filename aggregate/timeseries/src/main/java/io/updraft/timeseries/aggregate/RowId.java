package io.updraft.timeseries.aggregate;

import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.RecordRow;
import io.updraft.timeseries.record.Schema;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * The id of a row as bytes: the values of some fields, one after the other. Two rows have the same bytes only if they have the same
 * values. A text that is not the last value comes after its length. Not thread-safe.
 */
public final class RowId {

    private final int[] slots;
    private final boolean[] isDouble;
    private byte[] bytes = new byte[64];
    private int length;

    /** Creates an id of fields of a schema. */
    public RowId(Schema schema, List<String> fields) {
        slots = fields.stream().mapToInt(schema::slot).toArray();
        isDouble = new boolean[slots.length];
        for (int i = 0; i < slots.length; i++) {
            isDouble[i] = schema.fields().get(slots[i]).type() == FieldType.DOUBLE;
        }
    }

    /** Reads the id of a row. Returns the number of its bytes; -1 if one of the fields has no value. */
    public int read(RecordRow row) {
        row.expand();
        length = 0;
        for (int i = 0; i < slots.length; i++) {
            int slot = slots[i];
            switch (row.kind(slot)) {
                case RecordRow.NONE -> {
                    return -1;
                }
                case RecordRow.LONG -> number(isDouble[i] ? bits(row.getLong(slot)) : row.getLong(slot));
                case RecordRow.DOUBLE -> number(bits(row.getDouble(slot)));
                case RecordRow.UTF8 -> text(row.utf8(slot), row.from(slot), row.length(slot), i);
                default -> {
                    byte[] text = row.value(slot).toString().getBytes(StandardCharsets.UTF_8);
                    text(text, 0, text.length, i);
                }
            }
        }
        return length;
    }

    /** Both zeros are the same number. */
    private static long bits(double value) {
        return Double.doubleToLongBits(value + 0.0);
    }

    private void number(long value) {
        reserve(8);
        KeyHash.put(bytes, length, value);
        length += 8;
    }

    private void text(byte[] utf8, int from, int count, int field) {
        reserve(4 + count);
        if (field < slots.length - 1) {
            KeyHash.putInt(bytes, length, count);
            length += 4;
        }
        System.arraycopy(utf8, from, bytes, length, count);
        length += count;
    }

    private void reserve(int more) {
        if (length + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(length + more, 2 * bytes.length));
        }
    }

    /** Returns an array that begins with the id that was read last, until the next is read. */
    public byte[] bytes() {
        return bytes;
    }
}
