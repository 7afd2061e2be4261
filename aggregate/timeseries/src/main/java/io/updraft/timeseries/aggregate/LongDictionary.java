package io.updraft.timeseries.aggregate;

import io.updraft.timeseries.record.RecordRow;
import java.util.Arrays;

/** A dictionary of whole numbers: an open-addressing table of ids, and an array of values by id. */
final class LongDictionary extends Dictionary {

    private int[] slots = new int[16];
    private int shift = 60;
    private long[] values = new long[8];
    private int size;

    public LongDictionary(String field) {
        super(field);
    }

    private LongDictionary(String field, long[] values, int size) {
        this(field);
        this.values = values;
        this.size = size;
    }

    @Override
    public int id(RecordRow row, int slot) {
        return row.kind(slot) == RecordRow.NONE ? 0 : id(row.getLong(slot));
    }

    @Override
    public int id(Dictionary other, int id) {
        return id == 0 ? 0 : id(((LongDictionary) other).values[id]);
    }

    public int id(long value) {
        int at = (int) (KeyHash.of(value) >>> shift);
        for (int id; (id = slots[at]) != 0; at = at + 1 & slots.length - 1) {
            if (values[id] == value) {
                return id;
            }
        }
        return add(value, at);
    }

    private int add(long value, int at) {
        if (size == MAX) {
            throw full();
        }
        int id = ++size;
        if (id == values.length) {
            values = Arrays.copyOf(values, id * 2);
        }
        values[id] = value;
        slots[at] = id;
        if (size > slots.length >> 1) {
            grow();
        }
        return id;
    }

    /** Doubles the slots. They are processed in order, so both tables are traversed once, front to back. */
    private void grow() {
        int[] old = slots;
        slots = new int[old.length * 2];
        shift--;
        for (int id : old) {
            if (id != 0) {
                int at = (int) (KeyHash.of(values[id]) >>> shift);
                while (slots[at] != 0) {
                    at = at + 1 & slots.length - 1;
                }
                slots[at] = id;
            }
        }
    }

    @Override
    public void put(int id, RecordRow row, int slot) {
        if (id == 0) {
            row.setNone(slot);
        } else {
            row.setLong(slot, values[id]);
        }
    }

    /** Returns the value of an id other than 0. */
    public long value(int id) {
        return values[id];
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public long bytes() {
        return 4L * slots.length + 8L * values.length;
    }

    @Override
    public Dictionary view() {
        return new LongDictionary(field(), values, size);
    }

    @Override
    public Dictionary fresh() {
        return new LongDictionary(field());
    }
}
