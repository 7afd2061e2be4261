package io.updraft.kafka.spout;

/**
 * A ring of pages, ordered by index, from the page of the first pending offset on. Pages without emitted offsets are left out.
 */
final class OffsetPages {

    private OffsetPage[] ring = new OffsetPage[16];
    private int head;
    private int size;
    private long pending;
    private long emitted;

    long pending() {
        return pending;
    }

    long emitted() {
        return emitted;
    }

    void emit(long from, long to) {
        long next = from;
        while (next < to) {
            long end = Math.min(to, OffsetPage.indexOf(next) + 1 << OffsetPage.SHIFT);
            last(OffsetPage.indexOf(next)).emit(next, end);
            next = end;
        }
        pending += to - from;
        emitted += to - from;
    }

    private OffsetPage last(long index) {
        if (size > 0 && at(size - 1).index == index) {
            return at(size - 1);
        }
        if (size == ring.length) {
            grow();
        }
        OffsetPage page = new OffsetPage(index);
        ring[head + size & ring.length - 1] = page;
        size++;
        return page;
    }

    boolean isPending(long offset) {
        OffsetPage page = find(OffsetPage.indexOf(offset));
        return page != null && page.isPending(offset);
    }

    boolean done(long offset) {
        OffsetPage page = find(OffsetPage.indexOf(offset));
        if (page == null || !page.done(offset)) {
            return false;
        }
        pending--;
        trim();
        return true;
    }

    private void trim() {
        while (size > 0 && at(0).pending == 0) {
            emitted -= at(0).emitted;
            ring[head] = null;
            head = head + 1 & ring.length - 1;
            size--;
        }
    }

    /** Returns the first pending offset, -1 if there is none. */
    long firstPending() {
        return size == 0 ? OffsetTracker.NONE : at(0).firstPending(at(0).index << OffsetPage.SHIFT);
    }

    /** Returns the first pending offset at or after {@code from}, -1 if there is none. */
    long firstPending(long from) {
        long index = OffsetPage.indexOf(from);
        for (int i = ceiling(index); i < size; i++) {
            long first = at(i).firstPending(at(i).index == index ? from : at(i).index << OffsetPage.SHIFT);
            if (first != OffsetTracker.NONE) {
                return first;
            }
        }
        return OffsetTracker.NONE;
    }

    private OffsetPage find(long index) {
        int i = ceiling(index);
        return i < size && at(i).index == index ? at(i) : null;
    }

    /**
     * Returns the position of the first page whose index is at least {@code index}. Takes constant time if no page before it is
     * left out.
     */
    private int ceiling(long index) {
        if (size == 0) {
            return 0;
        }
        long guess = index - at(0).index;
        if (guess <= 0) {
            return 0;
        }
        if (guess < size && at((int) guess).index == index) {
            return (int) guess;
        }
        int low = 0;
        int high = size;
        while (low < high) {
            int middle = low + high >>> 1;
            if (at(middle).index < index) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private OffsetPage at(int place) {
        return ring[head + place & ring.length - 1];
    }

    private void grow() {
        OffsetPage[] larger = new OffsetPage[ring.length * 2];
        for (int i = 0; i < size; i++) {
            larger[i] = at(i);
        }
        ring = larger;
        head = 0;
    }

    /** The pending state of 1,024 offsets, one bit each. Once none is pending, only the counts are kept. */
    private static final class OffsetPage {

        static final int SHIFT = 10;
        private static final int WORDS = 1 << SHIFT - 6;
        private static final int IN_WORD = 63;

        /** The upper bits of the offsets. */
        final long index;

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
}
