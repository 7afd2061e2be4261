package io.updraft.timeseries.record;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * One record as it goes from a decoder to an aggregator: a slot for each field of a {@link Schema}. A row is filled again and
 * again, so nothing may keep it, or the bytes that its text slots refer to, after it has been handled. One thread only.
 *
 * <p>What is put into a slot must fit the type of its field; that is not checked here.
 */
public final class Row {

    /** The slot has no value. */
    public static final byte NONE = 0;
    /** The slot holds a whole number: type LONG, BOOLEAN or TIME. */
    public static final byte LONG = 1;
    /** The slot holds a floating-point number. */
    public static final byte DOUBLE = 2;
    /** The slot holds text as UTF-8 bytes in an array of somebody else's. */
    public static final byte UTF8 = 3;
    /** The slot holds text as a string. */
    public static final byte STRING = 4;

    private final Schema schema;
    private final byte[] kinds;
    private final long[] bits;
    private final Object[] texts;

    /** A row without values. */
    public Row(Schema schema) {
        this.schema = schema;
        this.kinds = new byte[schema.size()];
        this.bits = new long[schema.size()];
        this.texts = new Object[schema.size()];
    }

    /** The fields that the slots are for. */
    public Schema schema() {
        return schema;
    }

    /** Takes the values out of all slots. */
    public void clear() {
        Arrays.fill(kinds, NONE);
    }

    /** Takes the values out of all slots, and lets go of what texts referred to. */
    public void forget() {
        clear();
        Arrays.fill(texts, null);
    }

    /** Puts into a slot what the same slot of another row of the same schema holds. */
    public void copy(int slot, Row other) {
        kinds[slot] = other.kinds[slot];
        bits[slot] = other.bits[slot];
        texts[slot] = other.texts[slot];
    }

    /** Takes the value out of a slot. */
    public void setNone(int slot) {
        kinds[slot] = NONE;
    }

    /** Puts a whole number, a boolean (1 or 0) or a time (milliseconds since 1970) into a slot. */
    public void setLong(int slot, long value) {
        kinds[slot] = LONG;
        bits[slot] = value;
    }

    /** Puts a floating-point number into a slot. */
    public void setDouble(int slot, double value) {
        kinds[slot] = DOUBLE;
        bits[slot] = Double.doubleToRawLongBits(value);
    }

    /** Puts text into a slot: well-formed UTF-8, which is not copied. */
    public void setText(int slot, byte[] utf8, int from, int length) {
        kinds[slot] = UTF8;
        if (texts[slot] != utf8) {
            // Mostly it is the chunk's array again, and a reference that is not stored costs the collector nothing.
            texts[slot] = utf8;
        }
        bits[slot] = ((long) from << 32) | length;
    }

    /** Puts text into a slot. */
    public void setText(int slot, String value) {
        kinds[slot] = STRING;
        texts[slot] = value;
    }

    /** What a slot holds: {@link #NONE}, {@link #LONG}, {@link #DOUBLE}, {@link #UTF8} or {@link #STRING}. */
    public byte kind(int slot) {
        return kinds[slot];
    }

    /** Whether a slot has a value. */
    public boolean has(int slot) {
        return kinds[slot] != NONE;
    }

    /** The whole number in a slot of kind {@link #LONG}; something else if it is of another kind. */
    public long getLong(int slot) {
        return bits[slot];
    }

    /** The number in a slot of kind {@link #LONG} or {@link #DOUBLE}, rounded if it must be. */
    public double getDouble(int slot) {
        return kinds[slot] == LONG ? bits[slot] : Double.longBitsToDouble(bits[slot]);
    }

    /** The array that holds the text of a slot of kind {@link #UTF8}. */
    public byte[] utf8(int slot) {
        return (byte[]) texts[slot];
    }

    /** Where the text of a slot of kind {@link #UTF8} begins in its array. */
    public int from(int slot) {
        return (int) (bits[slot] >>> 32);
    }

    /** How many bytes the text of a slot of kind {@link #UTF8} has. */
    public int length(int slot) {
        return (int) bits[slot];
    }

    /** The text of a slot of kind {@link #STRING}. */
    public String string(int slot) {
        return (String) texts[slot];
    }

    /** What a slot holds as a new object: null, Long, Double or String. For results, tests and messages: it allocates. */
    public Object value(int slot) {
        return switch (kinds[slot]) {
            case NONE -> null;
            case LONG -> bits[slot];
            case DOUBLE -> Double.longBitsToDouble(bits[slot]);
            case UTF8 -> new String(utf8(slot), from(slot), length(slot), StandardCharsets.UTF_8);
            default -> texts[slot];
        };
    }
}
