package io.updraft.cluster.codec;

import java.util.List;

/** Writes the values of tuples: the common types directly, all others with Kryo. */
final class ValueWriter {

    private final FrameOutput out;
    private final KryoWriter kryo;

    /** Whether {@code topology.tuple.serializer} is not Storm's own. Then it writes all values, because it may encrypt them. */
    private final boolean whole;

    /** The index of the value that is being written; names the field when the write fails. */
    private int index;

    ValueWriter(FrameOutput out, KryoWriter kryo, boolean whole) {
        this.out = out;
        this.kryo = kryo;
        this.whole = whole;
    }

    /** Returns the code for the number of values that the frame holds: 1 + number, or 0 for one Kryo object. */
    int form(List<Object> values) {
        return whole ? 0 : values.size() + 1;
    }

    int index() {
        return index;
    }

    void writeAll(List<Object> values, int form) {
        index = 0;
        if (form == 0) {
            kryo.writeAll(out, values);
            return;
        }
        for (int i = 0; i < form - 1; i++) {
            index = i;
            write(values.get(i));
        }
    }

    private void write(Object value) {
        if (value instanceof String text) {
            writeString(text);
        } else if (value instanceof byte[] bytes) {
            writeBytes(bytes);
        } else if (value instanceof Long number) {
            out.ensure(BatchLayout.MAX_HEAD);
            out.putByte(BatchLayout.LONG);
            out.putZigzag(number);
        } else if (value instanceof Integer number) {
            out.ensure(BatchLayout.MAX_HEAD);
            out.putByte(BatchLayout.INTEGER);
            out.putZigzag(number);
        } else {
            out.ensure(BatchLayout.MAX_HEAD);
            writeOther(value);
        }
    }

    private void writeOther(Object value) {
        if (value == null) {
            out.putByte(BatchLayout.NULL);
        } else if (value instanceof Boolean truth) {
            out.putByte(truth ? BatchLayout.TRUE : BatchLayout.FALSE);
        } else if (value instanceof Double number) {
            out.putByte(BatchLayout.DOUBLE);
            out.putLong(Double.doubleToRawLongBits(number));
        } else if (value instanceof Float number) {
            out.putByte(BatchLayout.FLOAT);
            out.putInt(Float.floatToRawIntBits(number));
        } else if (value instanceof Short number) {
            out.putByte(BatchLayout.SHORT);
            out.putZigzag(number);
        } else if (value instanceof Byte number) {
            out.putByte(BatchLayout.BYTE);
            out.putByte(number);
        } else if (value instanceof Character letter) {
            out.putByte(BatchLayout.CHARACTER);
            out.putVarint(letter);
        } else {
            out.putByte(BatchLayout.KRYO);
            kryo.write(out, value);
        }
    }

    private void writeBytes(byte[] bytes) {
        int length = bytes.length;
        ensure(length);
        putLength(BatchLayout.SHORT_BYTES, BatchLayout.BYTES, length);
        out.putBytes(bytes, length);
    }

    void writeString(String text) {
        int length = text.length();
        if (isLatin1(text, length)) {
            ensure(length);
            putLength(BatchLayout.SHORT_LATIN1, BatchLayout.LATIN1, length);
            out.putLatin1(text, length);
        } else {
            ensure(2L * length);
            out.putByte(BatchLayout.UTF16);
            out.putVarint(length);
            out.putUtf16(text, length);
        }
    }

    private void ensure(long length) {
        long count = length + BatchLayout.MAX_HEAD;
        if (count > Integer.MAX_VALUE) {
            throw FrameFull.SIGNAL;
        }
        out.ensure((int) count);
    }

    private void putLength(int shortTag, int tag, int length) {
        if (length < BatchLayout.SHORT_LENGTH) {
            out.putByte(shortTag + length);
        } else {
            out.putByte(tag);
            out.putVarint(length);
        }
    }

    private static boolean isLatin1(String text, int length) {
        for (int i = 0; i < length; i++) {
            if (text.charAt(i) > 0xFF) {
                return false;
            }
        }
        return true;
    }
}
