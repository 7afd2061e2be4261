package io.updraft.timeseries.aggregate;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.TreeMap;

/**
 * A hash table of ids with the times at which they were seen. The ids themselves are stored and compared. An entry has a range of
 * times; each time of it is at most {@code within} from the next one, so a time that is at most {@code within} from the range is
 * that of a duplicate. An id has several entries if its times are further apart.
 *
 * <pre>
 *   slots  | hash, upper 32 bits | page, 18 bits | index in the page / 4, 14 bits |      0: free
 *   pages  | latest time, 8 bytes | latest - earliest, 4 bytes | length, 4 bytes | id, padded to 4 bytes | ...
 * </pre>
 *
 * <p>The entries of a bucket of time are in its pages in the order in which they came, and leave the table in this order, the oldest
 * bucket first. An entry that was seen again moves to a later bucket instead. Not thread-safe.
 */
final class IdTable {

    private static final long TAG = 0xffffffff00000000L;
    private static final int HEADER = 16;
    private static final int FIRST_PAGE = 1 << 8;
    private static final int PAGE = 1 << 16;
    private static final int IN_PAGE_BITS = 14;
    private static final int IN_PAGE = (1 << IN_PAGE_BITS) - 1;
    private static final int MAX_PAGES = 1 << 32 - IN_PAGE_BITS;
    private static final long MAX_SPAN = 0xffffffffL;
    private static final int FIRST_SLOTS = 64;

    /** The most entries that leave the table for one that is added, so that no addition takes long. */
    private static final int MAX_LEAVING = 16;

    /** The pages of the ids of a time. */
    private static final class Bucket {
        private final long number;
        private final ArrayDeque<Integer> pages = new ArrayDeque<>();
        /** The index of the first entry in the first page. */
        private int head;

        private Bucket(long number) {
            this.number = number;
        }
    }

    private final long within;
    private final long bucketLength;
    private final TreeMap<Long, Bucket> buckets = new TreeMap<>();
    /** The bucket of the oldest ids; null if there are none. */
    private Bucket oldest;
    /** The bucket of the last id; null if there is none. */
    private Bucket current;

    private long[] slots = new long[FIRST_SLOTS];
    private int shift = Long.numberOfLeadingZeros(FIRST_SLOTS - 1);
    private int size;

    /** By number; the first is not used, so that no entry has the place 0. */
    private byte[][] pages = new byte[4][];

    private int[] pageUsed = new int[4];
    private int pageCount = 1;
    private final ArrayDeque<Integer> freePages = new ArrayDeque<>();
    private long pageBytes;
    private long forgottenEarly;

    /**
     * Creates a table.
     *
     * @param within milliseconds, from 1 to {@link SeenIds#FOREVER}
     * @param bucketLength the length of a bucket, milliseconds: ids are kept for up to this time longer
     */
    IdTable(long within, long bucketLength) {
        this.within = within;
        this.bucketLength = bucketLength;
    }

    static long hash(byte[] id, int length) {
        return KeyHash.of(id, 0, length);
    }

    /**
     * Adds an id at a time. Removes ids whose time is more than {@code within} before {@code passed}, and ids with the oldest times if there
     * are more than fit.
     *
     * @return whether no time at most {@code within} away was known
     */
    boolean add(byte[] id, int length, long hash, long time, long passed, long maxIds, long maxBytes) {
        for (int i = 0; i < MAX_LEAVING && oldest != null && isPassed(oldest, passed); i++) {
            leave(true);
        }
        for (int at = (int) (hash >>> shift); slots[at] != 0; at = at + 1 & slots.length - 1) {
            if (((slots[at] ^ hash) & TAG) == 0 && isSeen((int) slots[at], id, length, time)) {
                if (!extend((int) slots[at], time)) {
                    insert(id, length, hash, time, maxIds, maxBytes);
                }
                return false;
            }
        }
        insert(id, length, hash, time, maxIds, maxBytes);
        return true;
    }

    private boolean isPassed(Bucket bucket, long passed) {
        return passed != Long.MIN_VALUE && (bucket.number + 1) * bucketLength - 1 < passed - within;
    }

    private boolean isSeen(int place, byte[] id, int length, long time) {
        byte[] page = page(place);
        int at = index(place);
        if (KeyHash.readInt(page, at + 12) != length || !KeyHash.same(page, at + HEADER, id, 0, length)) {
            return false;
        }
        long latest = latest(place);
        long earliest = latest - span(place);
        return time > latest ? isWithin(time - latest) : time >= earliest || isWithin(earliest - time);
    }

    /** A difference of two times may not fit into a signed number. */
    private boolean isWithin(long difference) {
        return Long.compareUnsigned(difference, within) <= 0;
    }

    /** Extends the times of an entry. Returns false if they do not fit. */
    private boolean extend(int place, long time) {
        long latest = latest(place);
        long earliest = latest - span(place);
        long span = Math.max(latest, time) - Math.min(earliest, time);
        if (span < 0 || span > MAX_SPAN) {
            return false;
        }
        KeyHash.put(page(place), index(place), Math.max(latest, time));
        KeyHash.putInt(page(place), index(place) + 8, (int) span);
        return true;
    }

    private void insert(byte[] id, int length, long hash, long time, long maxIds, long maxBytes) {
        for (int i = 0; i < MAX_LEAVING && oldest != null && isFull(maxIds, maxBytes); i++) {
            leave(false);
        }
        if (size >= slots.length / 4 * 3) {
            grow();
        }
        int place = append(bucket(time), id, 0, length, time, 0);
        int at = (int) (hash >>> shift);
        while (slots[at] != 0) {
            at = at + 1 & slots.length - 1;
        }
        slots[at] = hash & TAG | place & ~TAG;
        size++;
    }

    /** Returns whether an id must leave. Larger slots replace others, and both are in memory for a moment. */
    private boolean isFull(long maxIds, long maxBytes) {
        long growing = size >= slots.length / 4 * 3 ? 16L * slots.length : 0;
        return size >= maxIds || bytes() + growing > maxBytes || pageCount == MAX_PAGES && freePages.isEmpty();
    }

    /** Removes the oldest entry, or moves it to the bucket of its latest time. */
    private void leave(boolean passed) {
        Bucket bucket = oldest;
        int number = bucket.pages.peekFirst();
        int place = number << IN_PAGE_BITS | bucket.head >> 2;
        byte[] page = pages[number];
        int length = KeyHash.readInt(page, bucket.head + 12);
        int slot = slot(place, KeyHash.of(page, bucket.head + HEADER, length));
        long latest = latest(place);
        if (Math.floorDiv(latest, bucketLength) > bucket.number) {
            int moved = append(bucket(latest), page, bucket.head + HEADER, length, latest, span(place));
            slots[slot] = slots[slot] & TAG | moved & ~TAG;
        } else {
            remove(slot);
            size--;
            forgottenEarly += passed ? 0 : 1;
        }
        bucket.head += size(length);
        if (bucket.head == pageUsed[number]) {
            free(bucket);
        }
    }

    private void free(Bucket bucket) {
        int number = bucket.pages.removeFirst();
        pageBytes -= pages[number].length;
        pages[number] = null;
        freePages.add(number);
        bucket.head = 0;
        if (bucket.pages.isEmpty()) {
            buckets.remove(bucket.number);
            oldest = buckets.isEmpty() ? null : buckets.firstEntry().getValue();
            current = current == bucket ? null : current;
        }
    }

    private int slot(int place, long hash) {
        int at = (int) (hash >>> shift);
        while ((int) slots[at] != place) {
            at = at + 1 & slots.length - 1;
        }
        return at;
    }

    /** Frees a slot, and moves those behind it that would not be found any more. */
    private void remove(int at) {
        int mask = slots.length - 1;
        int hole = at;
        for (int next = hole + 1 & mask; slots[next] != 0; next = next + 1 & mask) {
            int home = (int) (slots[next] >>> shift);
            if ((next - home & mask) >= (next - hole & mask)) {
                slots[hole] = slots[next];
                hole = next;
            }
        }
        slots[hole] = 0;
    }

    private void grow() {
        long[] old = slots;
        slots = new long[old.length * 2];
        shift--;
        for (long slot : old) {
            if (slot != 0) {
                int at = (int) (slot >>> shift);
                while (slots[at] != 0) {
                    at = at + 1 & slots.length - 1;
                }
                slots[at] = slot;
            }
        }
    }

    private Bucket bucket(long time) {
        long number = Math.floorDiv(time, bucketLength);
        if (current == null || current.number != number) {
            current = buckets.computeIfAbsent(number, Bucket::new);
            oldest = oldest == null || number < oldest.number ? current : oldest;
        }
        return current;
    }

    /** Appends an entry to a bucket. Returns its place. */
    private int append(Bucket bucket, byte[] from, int source, int length, long latest, long span) {
        int entry = size(length);
        Integer last = bucket.pages.peekLast();
        if (last == null || pageUsed[last] + entry > pages[last].length) {
            int doubled = last == null ? FIRST_PAGE : Math.min(PAGE, 2 * pages[last].length);
            last = addPage(Math.max(entry, doubled));
            bucket.pages.addLast(last);
        }
        byte[] page = pages[last];
        int at = pageUsed[last];
        KeyHash.put(page, at, latest);
        KeyHash.putInt(page, at + 8, (int) span);
        KeyHash.putInt(page, at + 12, length);
        System.arraycopy(from, source, page, at + HEADER, length);
        pageUsed[last] = at + entry;
        return last << IN_PAGE_BITS | at >> 2;
    }

    private int addPage(int bytes) {
        Integer number = freePages.poll();
        if (number == null) {
            if (pageCount == MAX_PAGES) {
                throw new IllegalStateException("the ids of rows take more than " + (pageBytes >> 30)
                        + " GB: lower 'ids' in 'aggregate: unique'");
            }
            number = pageCount++;
            if (number == pages.length) {
                pages = Arrays.copyOf(pages, 2 * pages.length);
                pageUsed = Arrays.copyOf(pageUsed, 2 * pageUsed.length);
            }
        }
        pages[number] = new byte[bytes];
        pageUsed[number] = 0;
        pageBytes += bytes;
        return number;
    }

    private static int size(int length) {
        return HEADER + (length + 3 & ~3);
    }

    private byte[] page(int place) {
        return pages[place >>> IN_PAGE_BITS];
    }

    private static int index(int place) {
        return (place & IN_PAGE) << 2;
    }

    private long latest(int place) {
        return KeyHash.word(page(place), index(place));
    }

    private long span(int place) {
        return KeyHash.readInt(page(place), index(place) + 8) & MAX_SPAN;
    }

    /** Returns how many entries there are. */
    int size() {
        return size;
    }

    long bytes() {
        return 8L * slots.length + pageBytes;
    }

    /** Returns how many ids have left because there were too many. */
    long forgottenEarly() {
        return forgottenEarly;
    }
}
