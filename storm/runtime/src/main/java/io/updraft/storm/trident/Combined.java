package io.updraft.storm.trident;

import java.util.Arrays;
import java.util.Objects;
import org.apache.storm.trident.operation.CombinerAggregator;

/**
 * The results of a {@link CombinerAggregator} by group of a batch: a hash table with linear probing, whose entries are stored
 * in the order of insertion. A group allocates only its value.
 *
 * <p>Used by one thread.
 */
final class Combined {

    private static final int FIRST_ENTRIES = 16;

    private final CombinerAggregator<Object> aggregator;
    private Object[] keys;
    private Object[] values;
    private int[] hashes;

    /** Indexes of entries plus one, by hash; 0 for a free slot. Twice as many as entries, a power of two. */
    private int[] slots;

    private int size;

    Combined(CombinerAggregator<Object> aggregator, int expected) {
        this.aggregator = aggregator;
        int entries = Integer.highestOneBit(Math.max(FIRST_ENTRIES, expected) - 1) << 1;
        keys = new Object[entries];
        values = new Object[entries];
        hashes = new int[entries];
        slots = new int[2 * entries];
    }

    void add(Object key, Object value) {
        int hash = spread(Objects.hashCode(key));
        int mask = slots.length - 1;
        int slot = hash & mask;
        for (int entry; (entry = slots[slot]) != 0; slot = (slot + 1) & mask) {
            int at = entry - 1;
            if (hashes[at] == hash && isSame(keys[at], key)) {
                values[at] = combine(values[at], value);
                return;
            }
        }
        append(slot, hash, key, combine(aggregator.zero(), value));
    }

    private static boolean isSame(Object key, Object other) {
        return key == other || key != null && key.equals(other);
    }

    /** Combines two values. As in Trident, a null sum means that there is no value yet. */
    private Object combine(Object sum, Object value) {
        return sum == null ? value : aggregator.combine(sum, value);
    }

    private void append(int slot, int hash, Object key, Object value) {
        if (size == keys.length) {
            grow();
            append(freeSlot(hash), hash, key, value);
            return;
        }
        keys[size] = key;
        values[size] = value;
        hashes[size] = hash;
        slots[slot] = ++size;
    }

    private void grow() {
        int entries = 2 * keys.length;
        keys = Arrays.copyOf(keys, entries);
        values = Arrays.copyOf(values, entries);
        hashes = Arrays.copyOf(hashes, entries);
        slots = new int[2 * entries];
        for (int i = 0; i < size; i++) {
            slots[freeSlot(hashes[i])] = i + 1;
        }
    }

    private int freeSlot(int hash) {
        int mask = slots.length - 1;
        int slot = hash & mask;
        while (slots[slot] != 0) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private static int spread(int hash) {
        int mixed = hash * 0x9E3779B9;
        return mixed ^ mixed >>> 16;
    }

    int size() {
        return size;
    }

    Object key(int index) {
        return keys[index];
    }

    Object value(int index) {
        return values[index];
    }
}
