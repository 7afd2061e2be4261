package io.updraft.base.record;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;

/**
 * A value of bytes for each of several records, one after the other in one array; a value may be null. One thread fills it, in
 * the order of the records; it must not be changed after others can see it.
 */
public final class ByteColumn {

    private final byte[] bytes;
    private final int[] ends;
    /** Null while there is no null. */
    private BitSet nulls;

    private int end;

    /**
     * Creates a column without values.
     *
     * @param count the number of records
     * @param length the number of bytes of all values together
     */
    public ByteColumn(int count, int length) {
        bytes = new byte[length];
        ends = new int[count];
    }

    /**
     * Copies the value of the next record.
     *
     * @param record the index of the record: one more than in the call before
     * @param value the value; its position stays as it is. Null for none
     */
    public void set(int record, ByteBuffer value) {
        if (value == null) {
            if (nulls == null) {
                nulls = new BitSet(ends.length);
            }
            nulls.set(record);
        } else {
            int length = value.remaining();
            value.get(value.position(), bytes, end, length);
            end += length;
        }
        ends[record] = end;
    }

    /** {@return the values, one after the other; must not be changed} */
    public byte[] bytes() {
        return bytes;
    }

    /** {@return the end of each value in the bytes; must not be changed} */
    public int[] ends() {
        return ends;
    }

    /**
     * Finds a value.
     *
     * @param record the index of the record
     * @return the index in the bytes at which its value begins
     */
    public int start(int record) {
        return record == 0 ? 0 : ends[record - 1];
    }

    /**
     * Checks for a value. One that is null takes no bytes.
     *
     * @param record the index of the record
     * @return whether its value is null
     */
    public boolean isNull(int record) {
        return nulls != null && nulls.get(record);
    }

    /**
     * Copies a value.
     *
     * @param record the index of the record
     * @return the value; null if there is none
     */
    public byte[] value(int record) {
        return isNull(record) ? null : Arrays.copyOfRange(bytes, start(record), ends[record]);
    }

    /** {@return the number of bytes that the column takes} */
    public int size() {
        return bytes.length + Integer.BYTES * ends.length;
    }
}
