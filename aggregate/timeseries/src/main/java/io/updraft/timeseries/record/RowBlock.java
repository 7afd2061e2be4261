package io.updraft.timeseries.record;

import java.util.Arrays;

/**
 * Consecutive rows of one key text and some numbers each, as columns: the most common rows, in the form that takes the least time to
 * aggregate. All rows have a value in the same slots. A block is reused. One thread only.
 */
public final class RowBlock {

    /** The most rows in a block. */
    public static final int MAX_ROWS = 512;

    private final RecordRow row;
    private final KeyTexts texts;
    private final int[] keyTexts = new int[MAX_ROWS];
    private final long[] positions = new long[MAX_ROWS];
    private final long[] times = new long[MAX_ROWS];
    private final long[][] values;
    private final boolean[] isReal;
    private boolean hasKey;
    private int count;

    /**
     * Creates an empty block.
     *
     * @param texts the key texts that the rows' numbers refer to
     */
    public RowBlock(Schema schema, KeyTexts texts) {
        this.row = new RecordRow(schema);
        this.texts = texts;
        this.values = new long[schema.size()][];
        this.isReal = new boolean[schema.size()];
    }

    /**
     * Sets which slots have values.
     *
     * @param slots the slots of numbers; negative ones are passed over
     * @param real of each of them, whether it has floating-point numbers, as bits, or whole ones
     * @param key whether rows have a key text
     */
    public void use(int[] slots, boolean[] real, boolean key) {
        long[][] before = values.clone();
        Arrays.fill(values, null);
        for (int i = 0; i < slots.length; i++) {
            if (slots[i] >= 0) {
                long[] old = before[slots[i]];
                values[slots[i]] = old == null ? new long[MAX_ROWS] : old;
                isReal[slots[i]] = real[i];
            }
        }
        hasKey = key;
        count = 0;
    }

    /** Removes all rows. */
    public void clear() {
        count = 0;
    }

    /** {@return whether there is no room for another row} */
    public boolean isFull() {
        return count == MAX_ROWS;
    }

    /** {@return the number of rows} */
    public int count() {
        return count;
    }

    /**
     * Ends the next row. Its key text and its numbers are in their arrays at {@link #count}.
     *
     * @param position of its record in its partition
     * @param time of its record according to the source, milliseconds since 1970; 0 if the source has none
     */
    public void add(long position, long time) {
        positions[count] = position;
        times[count++] = time;
    }

    /** {@return the key text of each row; the caller may set the one of the next row} */
    public int[] keyTexts() {
        return keyTexts;
    }

    /** {@return the numbers of a slot, whole or as the bits of doubles; null if rows have none there} */
    public long[] values(int slot) {
        return values[slot];
    }

    /** {@return whether the rows have key texts} */
    public boolean hasKey() {
        return hasKey;
    }

    /** {@return the key texts that the rows' numbers refer to} */
    public KeyTexts texts() {
        return texts;
    }

    /** {@return the position of a row's record in its partition} */
    public long position(int index) {
        return positions[index];
    }

    /** {@return the time of each row's record according to the source} */
    public long[] times() {
        return times;
    }

    /** {@return a row by itself, until the next call; it has the key text, not its values} */
    public RecordRow row(int index) {
        row.clear();
        if (hasKey) {
            row.setKeyText(texts, keyTexts[index]);
        }
        for (int slot = 0; slot < values.length; slot++) {
            if (values[slot] != null && isReal[slot]) {
                row.setDouble(slot, Double.longBitsToDouble(values[slot][index]));
            } else if (values[slot] != null) {
                row.setLong(slot, values[slot][index]);
            }
        }
        return row;
    }
}
