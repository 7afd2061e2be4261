package io.updraft.timeseries.record;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * One record on its way from a decoder to an aggregator, with a slot for each field of a {@link Schema}. A row is reused: after
 * it was handled, no code may keep it, or the bytes that its text slots refer to. One thread only.
 *
 * <p>A value must fit the type of its slot's field. The row does not check this.
 */
public final class RecordRow {

    /** The slot has no value. */
    public static final byte NONE = 0;
    /** The slot holds a whole number: type LONG, BOOLEAN, TIME or DECIMAL. */
    public static final byte LONG = 1;
    /** The slot holds a floating-point number. */
    public static final byte DOUBLE = 2;
    /** The slot holds text as UTF-8 bytes in an array that the row does not own. */
    public static final byte UTF8 = 3;
    /** The slot holds text as a string. */
    public static final byte STRING = 4;

    private final Schema schema;
    private final byte[] kinds;
    private final long[] bits;
    private final Object[] texts;
    /** Null while all are 0. */
    private byte[] precedences;
    /** The key text whose values are not in their slots; -1 if there is none. */
    private int keyText = -1;

    private KeyTexts keyTexts;
    /** Whether the values of the key text are in their slots. */
    private boolean expanded;

    /** Creates a row without values. */
    public RecordRow(Schema schema) {
        this.schema = schema;
        this.kinds = new byte[schema.size()];
        this.bits = new long[schema.size()];
        this.texts = new Object[schema.size()];
    }

    /** Returns the fields of the slots. */
    public Schema schema() {
        return schema;
    }

    /** Removes the values of all slots. */
    public void clear() {
        Arrays.fill(kinds, NONE);
        keyText = -1;
        if (precedences != null) {
            Arrays.fill(precedences, (byte) 0);
        }
    }

    /** Removes the values of all slots, and the references to their texts. */
    public void forget() {
        clear();
        Arrays.fill(texts, null);
    }

    /**
     * Says that the values of some slots are those of a key text. The slots themselves stay without values until {@link #expand} is
     * called.
     */
    public void setKeyText(KeyTexts texts, int number) {
        keyTexts = texts;
        keyText = number;
        expanded = false;
    }

    /** Returns the number of the row's key text; -1 if there is none. */
    public int keyText() {
        return keyText;
    }

    /** Returns the key texts that the number refers to. */
    public KeyTexts keyTexts() {
        return keyTexts;
    }

    /** Puts the values of the key text, if there is one, into their slots. The row keeps its key text. */
    public void expand() {
        if (keyText >= 0 && !expanded) {
            expanded = true;
            keyTexts.expand(keyText, this);
        }
    }

    /** Puts the values of the key text, if there is one, into their slots. The row then has no key text, so that slots may change. */
    public void dropKeyText() {
        expand();
        keyText = -1;
    }

    void put(int slot, byte kind, long value, byte[] text) {
        kinds[slot] = kind;
        bits[slot] = value;
        if (kind == UTF8) {
            texts[slot] = text;
        }
    }

    /** Copies the value of a slot from a slot of another row, whose field has the same type. */
    public void copy(int slot, RecordRow other, int from) {
        kinds[slot] = other.kinds[from];
        bits[slot] = other.bits[from];
        texts[slot] = other.texts[from];
    }

    /** Removes the value of a slot. */
    public void setNone(int slot) {
        kinds[slot] = NONE;
    }

    /** Puts a whole number, a boolean (1 or 0), a time (milliseconds since 1970) or an unscaled decimal into a slot. */
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
            // Usually the array is the same as before. Skipping the store saves the collector's write barrier.
            texts[slot] = utf8;
        }
        bits[slot] = ((long) from << 32) | length;
    }

    /** Puts text into a slot. */
    public void setText(int slot, String value) {
        kinds[slot] = STRING;
        texts[slot] = value;
    }

    /** Returns the kind of a slot: {@link #NONE}, {@link #LONG}, {@link #DOUBLE}, {@link #UTF8} or {@link #STRING}. */
    public byte kind(int slot) {
        return kinds[slot];
    }

    /** Returns the precedence of a slot's value over others of the same record; 0 unless it was set for this record. */
    public byte precedence(int slot) {
        return precedences == null ? 0 : precedences[slot];
    }

    /** Sets the precedence of a slot's value over others of the same record. */
    public void setPrecedence(int slot, byte precedence) {
        if (precedence != precedence(slot)) {
            precedences = precedences == null ? new byte[kinds.length] : precedences;
            precedences[slot] = precedence;
        }
    }

    /** Returns whether a slot has a value. */
    public boolean has(int slot) {
        return kinds[slot] != NONE;
    }

    /** Returns the whole number in a slot of kind {@link #LONG}. The result is undefined for other kinds. */
    public long getLong(int slot) {
        return bits[slot];
    }

    /** Returns the number in a slot of kind {@link #LONG} or {@link #DOUBLE}, rounded to a double if necessary. A decimal is unscaled. */
    public double getDouble(int slot) {
        return kinds[slot] == LONG ? bits[slot] : Double.longBitsToDouble(bits[slot]);
    }

    /** Returns the array that holds the text of a slot of kind {@link #UTF8}. */
    public byte[] utf8(int slot) {
        return (byte[]) texts[slot];
    }

    /** Returns the index at which the text of a slot of kind {@link #UTF8} begins in its array. */
    public int from(int slot) {
        return (int) (bits[slot] >>> 32);
    }

    /** Returns the number of bytes of the text of a slot of kind {@link #UTF8}. */
    public int length(int slot) {
        return (int) bits[slot];
    }

    /** Returns the text of a slot of kind {@link #STRING}. */
    public String string(int slot) {
        return (String) texts[slot];
    }

    /**
     * Returns the value of a slot as a new object: null, Long, Double or String. A decimal is an unscaled Long. Allocates; for results, tests and messages.
     */
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
