package io.updraft.cluster.codec;

import java.util.ArrayList;
import java.util.List;
import org.apache.storm.utils.ListDelegate;

/** Reads the values of tuples. A value that Kryo cannot read becomes null, and the tuple is refused. */
final class ValueReader {
    /** Instead of the index of a value: all values of the tuple, as one Kryo object. */
    private static final int ALL = -1;

    private final FrameInput in;
    private final KryoReader kryo;

    /** The first exception of Kryo in the current tuple, or null. */
    private Throwable failure;

    /** The field in which Kryo failed, as text for a message. */
    private String failedField;

    ValueReader(FrameInput in, KryoReader kryo) {
        this.in = in;
        this.kryo = kryo;
    }

    Throwable failure() {
        return failure;
    }

    String failedField() {
        return failedField;
    }

    List<Object> readAll(int form) throws CodecException {
        failure = null;
        if (form == 0) {
            ListDelegate all = (ListDelegate) readKryo(ALL);
            return all == null ? List.of() : all.getDelegate();
        }
        int count = form - 1;
        // Checked before the list is allocated: a value takes at least one byte.
        in.require(count, "values");
        List<Object> values = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            values.add(read(i));
        }
        return values;
    }

    private Object read(int index) throws CodecException {
        int tag = in.readByte();
        if (tag >= BatchLayout.SHORT_BYTES) {
            int length = tag - BatchLayout.SHORT_BYTES;
            if (length >= BatchLayout.SHORT_LENGTH) {
                throw unknown(tag);
            }
            return in.readBytes(length);
        }
        if (tag >= BatchLayout.SHORT_LATIN1) {
            return in.readLatin1(tag - BatchLayout.SHORT_LATIN1);
        }
        return switch (tag) {
            case BatchLayout.LONG -> in.readZigzag();
            case BatchLayout.INTEGER -> (int) readZigzag(Integer.MIN_VALUE, Integer.MAX_VALUE);
            case BatchLayout.LATIN1 -> in.readLatin1(in.readVarint());
            case BatchLayout.BYTES -> in.readBytes(in.readVarint());
            case BatchLayout.UTF16 -> in.readUtf16();
            case BatchLayout.KRYO -> readKryo(index);
            default -> readOther(tag);
        };
    }

    private Object readOther(int tag) throws CodecException {
        return switch (tag) {
            case BatchLayout.NULL -> null;
            case BatchLayout.FALSE -> false;
            case BatchLayout.TRUE -> true;
            case BatchLayout.BYTE -> (byte) in.readByte();
            case BatchLayout.SHORT -> (short) readZigzag(Short.MIN_VALUE, Short.MAX_VALUE);
            case BatchLayout.FLOAT -> Float.intBitsToFloat(in.readInt());
            case BatchLayout.DOUBLE -> Double.longBitsToDouble(in.readLong());
            case BatchLayout.CHARACTER -> readCharacter();
            default -> throw unknown(tag);
        };
    }

    private CodecException unknown(int tag) {
        return in.malformed("unknown kind of value 0x" + Integer.toHexString(tag));
    }

    private long readZigzag(long least, long most) throws CodecException {
        long value = in.readZigzag();
        if (value < least || value > most) {
            throw in.malformed("a number is out of bounds: " + value);
        }
        return value;
    }

    private char readCharacter() throws CodecException {
        int value = in.readVarint();
        if (value > Character.MAX_VALUE) {
            throw in.malformed("a char is out of bounds: " + value);
        }
        return (char) value;
    }

    String readString() throws CodecException {
        int tag = in.readByte();
        if (tag >= BatchLayout.SHORT_LATIN1 && tag < BatchLayout.SHORT_BYTES) {
            return in.readLatin1(tag - BatchLayout.SHORT_LATIN1);
        }
        return switch (tag) {
            case BatchLayout.LATIN1 -> in.readLatin1(in.readVarint());
            case BatchLayout.UTF16 -> in.readUtf16();
            default -> throw in.malformed("a string is expected, not a value of kind 0x" + Integer.toHexString(tag));
        };
    }

    /** Reads what Kryo has written; null if that fails. */
    private Object readKryo(int index) throws CodecException {
        int length = in.readLength(index == ALL ? "values" : "a Kryo value");
        int start = in.position();
        in.skip(length);
        try {
            return kryo.read(in.bytes(), start, length, index == ALL);
        } catch (RuntimeException | StackOverflowError | LinkageError | OutOfMemoryError e) {
            // OutOfMemoryError as well: Kryo allocates the announced length before it checks that there are so many
            // bytes.
            if (failure == null) {
                failure = e;
                failedField = index == ALL ? "" : ", field " + index + ",";
            }
            return null;
        }
    }
}
