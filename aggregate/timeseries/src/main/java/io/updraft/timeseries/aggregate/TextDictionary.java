package io.updraft.timeseries.aggregate;

import io.updraft.timeseries.record.RecordRow;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A dictionary of texts. Most grouping keys are short. Short texts are compared as two words, and only the slot and the entry
 * are read:
 *
 * <pre>
 *   slots    | hash, upper 32 bits | id, 32 bits |           0: free; the first bits of the hash choose the slot
 *   entries  | UTF-8, up to 15 bytes, then zeros | length |  by id, 16 bytes each
 *         or | position, 4 bytes | 0 ... | hash  |  255   |  of a longer text, which lies in {@link TextPages}
 * </pre>
 */
final class TextDictionary extends Dictionary {

    private static final long TAG = 0xffffffff00000000L;
    private static final int SHORT = 15;
    private static final long IS_LONG = 255L << 56;
    private static final int PAGE_SHIFT = 16;
    private static final int PAGE_MASK = (1 << PAGE_SHIFT) - 1;
    private static final int FIRST_ENTRIES = 8;
    /**
     * Up to this number of slots, only a quarter of them is used. Small tables are cached, and direct hits matter more than
     * memory.
     */
    private static final int FEW_SLOTS = 1 << 14;

    private long[] slots = new long[32];
    private int shift = 59;
    private int maxSize = 8;
    private byte[][] entries = {new byte[FIRST_ENTRIES << 4]};
    private int size;
    private final TextPages texts;
    private byte[] scratch = new byte[64];

    public TextDictionary(String field) {
        super(field);
        texts = new TextPages();
    }

    private TextDictionary(TextDictionary of) {
        super(of.field());
        entries = of.entries;
        size = of.size;
        texts = of.texts.view();
        slots = null;
    }

    @Override
    public int id(RecordRow row, int slot) {
        return switch (row.kind(slot)) {
            case RecordRow.NONE -> 0;
            case RecordRow.UTF8 -> id(row.utf8(slot), row.from(slot), row.length(slot));
            case RecordRow.STRING -> id(row.string(slot));
            default -> throw new IllegalArgumentException(field() + " is a text field, but a row contains a number");
        };
    }

    @Override
    public int id(Dictionary other, int id) {
        if (id == 0) {
            return 0;
        }
        TextDictionary source = (TextDictionary) other;
        return source.isShort(id)
                ? shortId(source.first(id), source.second(id))
                : longId(source.page(id), source.from(id), source.length(id));
    }

    int id(String text) {
        int length = text.length();
        if (length > scratch.length) {
            scratch = new byte[Math.max(length, scratch.length * 2)];
        }
        if (isAscii(text, scratch)) {
            return id(scratch, 0, length);
        }
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        return id(utf8, 0, utf8.length);
    }

    /** Copies the characters. Returns whether all of them are ASCII. */
    private static boolean isAscii(String text, byte[] to) {
        int bits = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            bits |= c;
            to[i] = (byte) c;
        }
        return bits < 128;
    }

    public int id(byte[] utf8, int source, int length) {
        if (length > SHORT) {
            return longId(utf8, source, length);
        }
        return shortId(first(utf8, source, length), second(utf8, source, length));
    }

    private static long first(byte[] utf8, int source, int length) {
        return length >= 8 ? KeyHash.word(utf8, source) : KeyHash.word(utf8, source, length);
    }

    /** Returns the length, and the last 8 bytes without those in the first word. */
    private static long second(byte[] utf8, int source, int length) {
        long size = (long) length << 56;
        return length < 8 ? size : size | KeyHash.word(utf8, source + length - 8) >>> 8 >>> (SHORT - length << 3);
    }

    /**
     * Begins to look up a short text: computes its words and its hash, and reads the slot of the hash. The slots of several
     * dictionaries are read at the same time if all look-ups begin before the first one ends.
     *
     * @param words receives the words and the hash
     * @param at where to put them
     * @return what the slot contains, for {@link #end}; -1 if the row's value is no short text
     */
    long begin(RecordRow row, int slot, long[] words, int at) {
        int length = row.length(slot);
        if (row.kind(slot) != RecordRow.UTF8 || length > SHORT) {
            return -1;
        }
        byte[] utf8 = row.utf8(slot);
        int source = row.from(slot);
        long first = first(utf8, source, length);
        long second = second(utf8, source, length);
        long hash = KeyHash.of(first, second);
        words[at] = first;
        words[at + 1] = second;
        words[at + 2] = hash;
        return slots[(int) (hash >>> shift)];
    }

    /** Ends a look-up. Returns the id of the text. */
    int end(long[] words, int at, long slot) {
        long first = words[at];
        long second = words[at + 1];
        boolean found = slot != 0
                && ((slot ^ words[at + 2]) & TAG) == 0
                && first((int) slot) == first
                && second((int) slot) == second;
        return found ? (int) slot : shortId(first, second);
    }

    private int shortId(long first, long second) {
        long hash = KeyHash.of(first, second);
        long[] slots = this.slots;
        int at = (int) (hash >>> shift);
        for (long slot; (slot = slots[at]) != 0; at = at + 1 & slots.length - 1) {
            if (((slot ^ hash) & TAG) == 0 && first((int) slot) == first && second((int) slot) == second) {
                return (int) slot;
            }
        }
        return add(first, second, hash, at);
    }

    private int longId(byte[] utf8, int source, int length) {
        long hash = KeyHash.of(utf8, source, length);
        long second = hash | IS_LONG;
        int at = (int) (hash >>> shift);
        for (long slot; (slot = slots[at]) != 0; at = at + 1 & slots.length - 1) {
            int id = (int) slot;
            if (((slot ^ hash) & TAG) == 0 && second(id) == second && texts.is((int) first(id), utf8, source, length)) {
                return id;
            }
        }
        int position = texts.add(utf8, source, length);
        if (position < 0) {
            throw full();
        }
        return add(position, second, hash, at);
    }

    private int add(long first, long second, long hash, int at) {
        if (size == MAX) {
            throw full();
        }
        int id = ++size;
        int page = id >>> PAGE_SHIFT;
        if (page == entries.length || (id & PAGE_MASK) << 4 == entries[page].length) {
            addEntries(page);
        }
        KeyHash.put(entries[page], (id & PAGE_MASK) << 4, first);
        KeyHash.put(entries[page], ((id & PAGE_MASK) << 4) + 8, second);
        slots[at] = hash & TAG | id;
        if (size == maxSize) {
            grow();
        }
        return id;
    }

    /** Grows the first page, then adds pages. The outer array is replaced, so that a view keeps the old one. */
    private void addEntries(int page) {
        byte[][] more = Arrays.copyOf(entries, page + 1);
        more[page] = page == 0 ? Arrays.copyOf(entries[0], entries[0].length * 2) : new byte[1 << PAGE_SHIFT + 4];
        entries = more;
    }

    /**
     * Doubles the slots. The slots contain the hashes, so no text is touched, and both tables are traversed once, front to
     * back.
     */
    private void grow() {
        long[] old = slots;
        slots = new long[old.length * 2];
        shift--;
        maxSize = slots.length >> (slots.length <= FEW_SLOTS ? 2 : 1);
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

    private long first(int id) {
        return KeyHash.word(entries[id >>> PAGE_SHIFT], (id & PAGE_MASK) << 4);
    }

    private long second(int id) {
        return KeyHash.word(entries[id >>> PAGE_SHIFT], ((id & PAGE_MASK) << 4) + 8);
    }

    private boolean isShort(int id) {
        return second(id) >>> 56 <= SHORT;
    }

    @Override
    public void put(int id, RecordRow row, int slot) {
        if (id == 0) {
            row.setNone(slot);
        } else {
            row.setText(slot, page(id), from(id), length(id));
        }
    }

    public byte[] page(int id) {
        return isShort(id) ? entries[id >>> PAGE_SHIFT] : texts.page((int) first(id));
    }

    /** Returns the index at which a text begins in its page. */
    public int from(int id) {
        return isShort(id) ? (id & PAGE_MASK) << 4 : TextPages.from((int) first(id));
    }

    public int length(int id) {
        return isShort(id) ? (int) (second(id) >>> 56) : texts.length((int) first(id));
    }

    /** Compares two texts of two dictionaries by their bytes, which is the order of their code points. */
    public static int compare(TextDictionary one, int id, TextDictionary other, int otherId) {
        return other.compare(one.page(id), one.from(id), one.length(id), otherId);
    }

    public int compare(RecordRow row, int slot, int id) {
        if (row.kind(slot) == RecordRow.UTF8) {
            return compare(row.utf8(slot), row.from(slot), row.length(slot), id);
        }
        byte[] utf8 = row.string(slot).getBytes(StandardCharsets.UTF_8);
        return compare(utf8, 0, utf8.length, id);
    }

    private int compare(byte[] utf8, int source, int length, int id) {
        return Arrays.compareUnsigned(utf8, source, source + length, page(id), from(id), from(id) + length(id));
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public long bytes() {
        long pages = entries.length == 1 ? entries[0].length : (long) entries.length << PAGE_SHIFT + 4;
        return 8L * slots.length + pages + texts.bytes();
    }

    @Override
    public Dictionary view() {
        return new TextDictionary(this);
    }

    @Override
    public Dictionary fresh() {
        return new TextDictionary(field());
    }

    /**
     * Texts one after the other in pages: {@code | length, 4 bytes | UTF-8, padded to 4 bytes | ...}. A position consists of the
     * number of the page and the index in it, in units of 4 bytes. Stored texts never change; {@link Dictionary} defines which
     * threads may read.
     */
    private static final class TextPages {

        private static final int PAGE_SHIFT = 20;
        private static final int PAGE = 1 << PAGE_SHIFT;
        private static final int IN_PAGE = (PAGE >> 2) - 1;
        private static final int MAX_PAGES = 1 << 31 - (PAGE_SHIFT - 2);

        private byte[][] pages = {new byte[0]};
        private int used;
        private long bytes;

        TextPages view() {
            TextPages view = new TextPages();
            view.pages = pages;
            return view;
        }

        /** Adds a text. Returns its position; -1 if it is full. */
        int add(byte[] utf8, int source, int length) {
            int size = 4 + (length + 3 & ~3);
            if (used + size > pages[pages.length - 1].length && !grow(size)) {
                return -1;
            }
            byte[] page = pages[pages.length - 1];
            KeyHash.putInt(page, used, length);
            System.arraycopy(utf8, source, page, used + 4, length);
            int position = pages.length - 1 << PAGE_SHIFT - 2 | used >> 2;
            // A text longer than a page has a page of its own, without other texts.
            used = size > PAGE ? page.length : used + size;
            return position;
        }

        /** Grows the first page, then adds pages. The outer array is replaced, so that a view keeps the old one. */
        private boolean grow(int size) {
            boolean first = pages.length == 1 && used + size <= PAGE;
            if (!first && pages.length == MAX_PAGES) {
                return false;
            }
            byte[][] more = Arrays.copyOf(pages, first ? 1 : pages.length + 1);
            int last = more.length - 1;
            if (first) {
                more[0] = Arrays.copyOf(pages[0], Math.min(PAGE, Math.max(used + size, pages[0].length * 2)));
                bytes = more[0].length;
            } else {
                more[last] = new byte[Math.max(PAGE, size)];
                bytes += more[last].length;
                used = 0;
            }
            pages = more;
            return true;
        }

        boolean is(int position, byte[] utf8, int source, int length) {
            return length(position) == length && KeyHash.same(page(position), from(position), utf8, source, length);
        }

        byte[] page(int position) {
            return pages[position >>> PAGE_SHIFT - 2];
        }

        static int from(int position) {
            return ((position & IN_PAGE) << 2) + 4;
        }

        int length(int position) {
            return KeyHash.readInt(page(position), from(position) - 4);
        }

        long bytes() {
            return bytes;
        }
    }
}
