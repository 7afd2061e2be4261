package io.updraft.kafka.offset;

/** The pending state of 1,024 offsets, one bit each. Once none is pending, only the counts are kept. */
final class OffsetPage {

    static final int SHIFT = 10;
    private static final int WORDS = 1 << SHIFT - 6;
    private static final int IN_WORD = 63;

    /** The upper bits of the offsets. */
    final long index;

    /** The number of emitted offsets. */
    int emitted;

    /** The number of emitted offsets that are not done. */
    int pending;

    private long[] bits;

    OffsetPage(long index) {
        this.index = index;
    }

    static long indexOf(long offset) {
        return offset >> SHIFT;
    }

    boolean isPending(long offset) {
        return bits != null && (bits[word(offset)] & 1L << offset) != 0;
    }

    /** Marks the offsets {@code [from, to)} of this page as pending. None of them was emitted before. */
    void emit(long from, long to) {
        if (bits == null) {
            bits = new long[WORDS];
        }
        int count = (int) (to - from);
        emitted += count;
        pending += count;
        for (int word = word(from); word <= word(to - 1); word++) {
            bits[word] |= mask(word, from, to);
        }
    }

    /** Returns the bits of a word that are in a range of offsets. The range lies within this page. */
    private static long mask(int word, long from, long to) {
        long head = word == word(from) ? -1L << from : -1L;
        return word == word(to - 1) ? head & -1L >>> IN_WORD - (to - 1 & IN_WORD) : head;
    }

    /** Marks an offset as done. Returns whether it was pending. */
    boolean done(long offset) {
        if (!isPending(offset)) {
            return false;
        }
        bits[word(offset)] &= ~(1L << offset);
        if (--pending == 0) {
            bits = null;
        }
        return true;
    }

    /** Returns the first pending offset of this page at or after {@code from}; -1 if there is none. */
    long firstPending(long from) {
        if (bits == null) {
            return -1;
        }
        int word = word(from);
        long left = bits[word] & -1L << from;
        while (left == 0 && ++word < WORDS) {
            left = bits[word];
        }
        return left == 0 ? -1 : (index << SHIFT) + word * 64L + Long.numberOfTrailingZeros(left);
    }

    private static int word(long offset) {
        return (int) (offset >> 6) & WORDS - 1;
    }
}
