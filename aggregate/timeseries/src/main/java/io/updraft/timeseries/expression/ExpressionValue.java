package io.updraft.timeseries.expression;

import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.RecordRow;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The value of an expression for one row. Reused for each row. One thread only. */
public final class ExpressionValue {

    boolean present;
    /** A whole number, a time or, as 1 or 0, a boolean. */
    long whole;

    double real;
    byte[] bytes;
    int from;
    int length;

    static ExpressionValue[] some(int count) {
        ExpressionValue[] values = new ExpressionValue[count];
        Arrays.setAll(values, i -> new ExpressionValue());
        return values;
    }

    void none() {
        present = false;
    }

    void whole(long number) {
        present = true;
        whole = number;
    }

    void real(double number) {
        present = true;
        real = number;
    }

    void truth(boolean is) {
        whole(is ? 1 : 0);
    }

    /** {@return whether there is a value, and it is true} */
    public boolean isTrue() {
        return present && whole != 0;
    }

    void text(byte[] utf8, int start, int count) {
        present = true;
        bytes = utf8;
        from = start;
        length = count;
    }

    void text(String string) {
        byte[] utf8 = string.getBytes(StandardCharsets.UTF_8);
        text(utf8, 0, utf8.length);
    }

    /** Returns a text as a new string. */
    String string() {
        return new String(bytes, from, length, StandardCharsets.UTF_8);
    }

    void copy(ExpressionValue other) {
        present = other.present;
        whole = other.whole;
        real = other.real;
        bytes = other.bytes;
        from = other.from;
        length = other.length;
    }

    void read(RecordRow row, int slot) {
        switch (row.kind(slot)) {
            case RecordRow.NONE -> none();
            case RecordRow.LONG -> whole(row.getLong(slot));
            case RecordRow.DOUBLE -> real(row.getDouble(slot));
            case RecordRow.UTF8 -> text(row.utf8(slot), row.from(slot), row.length(slot));
            default -> text(row.string(slot));
        }
    }

    /**
     * Puts the value into a slot.
     *
     * @param type of the value and the slot
     */
    public void put(RecordRow row, int slot, FieldType type) {
        if (!present) {
            row.setNone(slot);
        } else if (type == FieldType.TEXT) {
            row.setText(slot, bytes, from, length);
        } else if (type == FieldType.DOUBLE) {
            row.setDouble(slot, real);
        } else {
            row.setLong(slot, whole);
        }
    }

    /** Compares the bytes, which gives the order of the code points. */
    int compareText(ExpressionValue other) {
        return Arrays.compareUnsigned(bytes, from, from + length, other.bytes, other.from, other.from + other.length);
    }

    boolean sameText(ExpressionValue other) {
        return length == other.length
                && Arrays.equals(bytes, from, from + length, other.bytes, other.from, other.from + other.length);
    }
}
