package io.updraft.timeseries.aggregate;

/** A set of hashes: an open-addressing table with linear probing. They are mixed already, so their first bits choose the slot. */
final class HashSet64 {

    /** Stands for a free slot; the hash that is the same is taken for its neighbour. */
    private static final long FREE = 0;

    private long[] slots = new long[16];
    private int shift = 60;
    private int size;

    /** Says whether it was not there. */
    boolean add(long hash) {
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

    boolean contains(long hash) {
        return slots[slot(hash == FREE ? 1 : hash)] != FREE;
    }

    int size() {
        return size;
    }

    /** Where a hash is, or would be. */
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
