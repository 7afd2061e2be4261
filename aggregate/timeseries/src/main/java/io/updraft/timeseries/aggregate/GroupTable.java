package io.updraft.timeseries.aggregate;

import io.updraft.timeseries.query.TooManyGroupsException;
import java.util.Arrays;

/**
 * The groups of a window: an open-addressing table with linear probing. A key consists of the ids of the dimensions' values.
 * Each group has a row of words as {@link GroupLayout} defines. A slot contains a part of the hash, so that a probe that misses
 * touches no group:
 *
 * <pre>
 *   slots  | hash, upper 32 bits | number of the group + 1 |   0: free; the first bits of the hash choose the slot
 *   pages  rows of words, in the order in which the groups came; only the first page ever grows
 * </pre>
 *
 * One thread writes.
 */
final class GroupTable {

    private static final long TAG = 0xffffffff00000000L;
    private static final int PAGE_WORDS = 1 << 15;
    private static final int FIRST_GROUPS = 4;
    /** The maximum number of groups, so that the numbers of groups and slots fit. */
    private static final int MAX_GROUPS = 1 << 29;

    private static final int[] NO_GROUPS = {};

    final GroupLayout layout;
    final int pageShift;
    final int pageMask;
    private final int width;
    private final int keyWords;

    private long[] slots = new long[16];
    private int shift = 60;
    private int maxSize = 12;
    int size;
    long[][] pages;
    Object[][] sketches;
    private long words;
    /** The number of groups that have memory. */
    private int capacity;
    /** The number of the group, plus one, of each key text that was seen in a row; 0 for unknown. */
    private int[] ofKeyTexts = NO_GROUPS;

    GroupTable(GroupLayout layout) {
        this.layout = layout;
        width = Math.max(1, layout.width);
        keyWords = layout.keyWords;
        int perPage = Integer.highestOneBit(Math.max(FIRST_GROUPS, PAGE_WORDS / width));
        pageShift = Integer.numberOfTrailingZeros(perPage);
        pageMask = perPage - 1;
        pages = new long[][] {new long[FIRST_GROUPS * width]};
        sketches = layout.sketches == 0 ? null : new Object[][] {new Object[FIRST_GROUPS * layout.sketches]};
        capacity = FIRST_GROUPS;
        words = (long) FIRST_GROUPS * width;
    }

    /** Copies a table. The copy shares nothing with the original. */
    GroupTable(GroupTable of) {
        layout = of.layout;
        width = of.width;
        keyWords = of.keyWords;
        pageShift = of.pageShift;
        pageMask = of.pageMask;
        slots = of.slots.clone();
        shift = of.shift;
        maxSize = of.maxSize;
        size = of.size;
        words = of.words;
        capacity = of.capacity;
        pages = new long[of.pages.length][];
        Arrays.setAll(pages, i -> of.pages[i].clone());
        if (of.sketches != null) {
            sketches = new Object[of.sketches.length][];
            Arrays.setAll(
                    sketches,
                    i -> Arrays.stream(of.sketches[i]).map(Sketches::copy).toArray());
        }
    }

    static long hash(long[] key) {
        // Products with odd numbers can be computed in parallel and summed, unlike a chain of mixes.
        long hash = 0;
        long factor = 0x9e3779b97f4a7c15L;
        for (long word : key) {
            hash += (word ^ word >>> 32) * factor;
            factor += 0xd1b54a32d192ed02L;
        }
        return KeyHash.of(hash, key.length);
    }

    /** Returns the number of the group with a key; -1 if there is none. */
    int find(long[] key, long hash) {
        long[] slots = this.slots;
        int at = (int) (hash >>> shift);
        for (long slot; (slot = slots[at]) != 0; at = at + 1 & slots.length - 1) {
            if (((slot ^ hash) & TAG) == 0 && is((int) slot - 1, key)) {
                return (int) slot - 1;
            }
        }
        return -1;
    }

    private boolean is(int group, long[] key) {
        long[] page = pages[group >>> pageShift];
        int base = (group & pageMask) * width;
        for (int i = 0; i < key.length; i++) {
            if (page[base + i] != key[i]) {
                return false;
            }
        }
        return true;
    }

    int insert(long[] key, long hash) {
        if (size == MAX_GROUPS) {
            throw new TooManyGroupsException("a window has more than " + size + " groups: group by fewer fields");
        }
        if (size == maxSize) {
            growSlots();
        }
        if (size == capacity) {
            growPages();
        }
        int group = size++;
        place(hash & TAG | size);
        int base = (group & pageMask) * width;
        long[] page = pages[group >>> pageShift];
        System.arraycopy(layout.empty, 0, page, base, layout.width);
        System.arraycopy(key, 0, page, base, keyWords);
        return group;
    }

    /** Returns the number of the group of a key text; -1 if it is not known. */
    int ofKeyText(int number) {
        return number < ofKeyTexts.length ? ofKeyTexts[number] - 1 : -1;
    }

    /** Remembers the group of a key text. */
    void setKeyText(int number, int group) {
        if (number >= ofKeyTexts.length) {
            ofKeyTexts = Arrays.copyOf(ofKeyTexts, Math.max(16, 2 * number));
        }
        ofKeyTexts[number] = group + 1;
    }

    void forgetKeyTexts() {
        ofKeyTexts = NO_GROUPS;
    }

    /** Returns the number of the group with a key. Adds the group if there is none. */
    int obtain(long[] key, long hash) {
        int group = find(key, hash);
        return group < 0 ? insert(key, hash) : group;
    }

    private void place(long slot) {
        int at = (int) (slot >>> shift);
        while (slots[at] != 0) {
            at = at + 1 & slots.length - 1;
        }
        slots[at] = slot;
    }

    /**
     * Doubles the slots. The slots contain the hashes, so no group is touched, and both tables are traversed once, front to
     * back.
     */
    private void growSlots() {
        long[] old = slots;
        slots = new long[old.length * 2];
        maxSize *= 2;
        shift--;
        for (long slot : old) {
            if (slot != 0) {
                place(slot);
            }
        }
    }

    private void growPages() {
        int last = pages.length - 1;
        int perPage = pageMask + 1;
        if (capacity < perPage) {
            capacity = Math.min(perPage, capacity * 2);
            pages[0] = Arrays.copyOf(pages[0], capacity * width);
            words = pages[0].length;
            if (sketches != null) {
                sketches[0] = Arrays.copyOf(sketches[0], capacity * layout.sketches);
            }
            return;
        }
        pages = Arrays.copyOf(pages, last + 2);
        pages[last + 1] = new long[perPage * width];
        words += pages[last + 1].length;
        if (sketches != null) {
            sketches = Arrays.copyOf(sketches, last + 2);
            sketches[last + 1] = new Object[perPage * layout.sketches];
        }
        capacity += perPage;
    }

    long[] page(int group) {
        return pages[group >>> pageShift];
    }

    /** Returns the index in its page of a group's first word. */
    int base(int group) {
        return (group & pageMask) * width;
    }

    Object sketch(int group, int index) {
        return sketches[group >>> pageShift][(group & pageMask) * layout.sketches + index];
    }

    void sketch(int group, int index, Object sketch) {
        sketches[group >>> pageShift][(group & pageMask) * layout.sketches + index] = sketch;
    }

    /** Returns the id of a dimension's value in the key of a group. */
    int id(int group, int dimension) {
        long word = page(group)[base(group) + (dimension >> 1)];
        return (int) ((dimension & 1) == 0 ? word : word >>> 32);
    }

    /** Changes the id of a dimension's value in the key of a group; {@link #rehash} must follow. */
    void id(int group, int dimension, int id) {
        long[] page = page(group);
        int at = base(group) + (dimension >> 1);
        page[at] = (dimension & 1) == 0 ? page[at] & TAG | id : page[at] & ~TAG | (long) id << 32;
    }

    /** Fills the slots again after the keys of the groups were changed. */
    void rehash() {
        Arrays.fill(slots, 0);
        long[] key = new long[keyWords];
        for (int group = 0; group < size; group++) {
            System.arraycopy(page(group), base(group), key, 0, keyWords);
            place(hash(key) & TAG | group + 1);
        }
    }

    /** Removes all groups, and keeps the memory. */
    void clear() {
        Arrays.fill(slots, 0);
        size = 0;
        if (sketches != null) {
            Arrays.stream(sketches).forEach(page -> Arrays.fill(page, null));
        }
    }

    /** Returns the memory size, bytes. The size of the sketches is extrapolated from a sample. */
    long bytes() {
        return 8L * slots.length + 8 * words + 4L * ofKeyTexts.length + (sketches == null ? 0 : sketchBytes());
    }

    /** Returns the bytes that adding one group would allocate. */
    long bytesToGrow() {
        return size < maxSize && size < capacity
                ? 0
                : (size == maxSize ? 16L * slots.length : 0)
                        + (size == capacity ? 8L * width * Math.min(capacity, pageMask + 1) : 0);
    }

    private long sketchBytes() {
        long bytes = 4L * capacity * layout.sketches;
        int step = Math.max(1, size / 256);
        long weighed = 0;
        long groups = 0;
        for (int group = 0; group < size; group += step, groups++) {
            for (int i = 0; i < layout.sketches; i++) {
                weighed += Sketches.bytes(sketch(group, i));
            }
        }
        return bytes + (groups == 0 ? 0 : weighed * size / groups);
    }
}
