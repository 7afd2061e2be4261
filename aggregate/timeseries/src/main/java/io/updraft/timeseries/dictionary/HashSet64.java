package io.updraft.timeseries.dictionary;

/**
 * A set of hashes: an open-addressing table with linear probing. Hashes are well mixed, so their first bits choose the slot.
 */
public final class HashSet64 {

    /** Marks a free slot. The hash with this value is stored as 1. */
    private static final long FREE = 0;

    private long[] slots = new long[16];
    private int shift = 60;
    private int size;

    /** Adds a hash. Returns whether it is new. */
    public boolean add(long hash) {
        long one = hash == FREE ? 1 : hash;
        int at = slot(one);
        if (slots[at] != FREE) {
            return false;
        }
        slots[at] = one;
        if (++size > slots.length / 2) {
            grow();
        }
        return true;
    }

    public boolean contains(long hash) {
        return slots[slot(hash == FREE ? 1 : hash)] != FREE;
    }

    public int size() {
        return size;
    }

    /** Returns the slot of a hash, or the free slot where it belongs. */
    private int slot(long hash) {
        int at = (int) (hash >>> shift);
        while (slots[at] != FREE && slots[at] != hash) {
            at = at + 1 & slots.length - 1;
        }
        return at;
    }

    private void grow() {
        long[] old = slots;
        slots = new long[old.length * 2];
        shift--;
        for (long hash : old) {
            if (hash != FREE) {
                slots[slot(hash)] = hash;
            }
        }
    }
}
