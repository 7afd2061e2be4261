package io.updraft.timeseries.record;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Key texts that were seen before, and the values of their fields. A key text is the part of a record that contains consecutive
 * key fields, as the record's bytes: {@code "host":"a","region":"eu",} of JSON, {@code a,eu,} of CSV. Records of one group mostly
 * repeat it byte by byte. A decoder that finds it here need not parse it, and an aggregator that knows its number need not look
 * up its values.
 *
 * <p>The end of a key text is not known before it is parsed. The bytes up to its {@code marks}-th mark, a quote or a delimiter, are
 * hashed; they may be fewer than all. What is found is compared byte by byte.
 *
 * <pre>
 *   slots  | hash, upper 32 bits | number + 1 |   0: free; open addressing, at most half full
 *   pages  key texts, and values of text that differ from their bytes in the record
 * </pre>
 *
 * <p>The memory is limited. Key texts that seldom repeat cost more than they save: {@link #judge} turns {@link #find} off for a while when less
 * than a quarter of the last look-ups has found something. One thread only.
 */
public final class KeyTexts {

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long LOWS = 0x7f7f7f7f7f7f7f7fL;
    private static final long HIGHS = 0x8080808080808080L;
    private static final long ONES = 0x0101010101010101L;
    private static final long FACTOR = 0x9e3779b97f4a7c15L;
    private static final long STEP = 0xd1b54a32d192ed02L;
    private static final long LAST_FACTOR = 0xa0761d6478bd642fL;
    private static final long TAG = 0xffffffff00000000L;

    private static final int MAX_TEXT = 1 << 15;
    private static final int PAGE = 1 << 18;
    /** The number of texts with one hash that are compared before a look-up gives up. */
    private static final int MAX_COMPARED = 4;
    /** The number of look-ups after which their use is judged. */
    private static final int PERIOD = 1 << 16;

    private static final int MAX_PAUSE = 64;

    /** What key texts of one form have in common: JSON of one producer, or CSV with one header. */
    public static final class Form {

        private final int[] slots;
        private final byte[] precedences;
        private final long pattern;
        private final long seed;
        private final byte mark;
        private final boolean isRead;
        private int marks;

        /**
         * Creates a form.
         *
         * @param slots the slots of a row that key texts fill
         * @param precedences the precedence of the value in each of the slots
         * @param mark the byte that is counted to find how much of a key text to hash
         * @param marks the number of marks in a key text; 0 to count them in the first key text
         * @param number tells forms apart whose key texts may have the same bytes
         * @param isRead whether values are read one by one too; a row then has them in their slots
         */
        public Form(int[] slots, byte[] precedences, byte mark, int marks, int number, boolean isRead) {
            this.isRead = isRead;
            this.slots = slots.clone();
            this.precedences = precedences.clone();
            this.mark = mark;
            this.marks = marks;
            this.pattern = ONES * (mark & 0xff);
            this.seed = number * STEP;
        }

        /** {@return whether the values of key texts are read one by one too} */
        public boolean isRead() {
            return isRead;
        }

        /** {@return the slots of a row that key texts fill; not to be changed} */
        public int[] slots() {
            return slots;
        }
    }

    private final long maxBytes;

    private long[] table = new long[64];
    private int shift = 58;
    private int size;
    private byte[][] pages = {new byte[0]};
    private int used = PAGE;
    private long bytes;

    private Form[] forms = new Form[16];
    /** The page and the index in it of each text. */
    private long[] places = new long[16];

    private int[] lengths = new int[16];

    /** The form of the texts of at most 8 bytes that {@link #findShort} finds; null if there is none. */
    private Form shortForm;
    /** Those texts, each as a word padded with zeros, and its number in the upper half of the next word; at most half full. */
    private long[] shorts = new long[128];

    private int shortShift = 58;
    private int shortSize;

    private long[][] values = new long[16][];
    private byte[][] kinds = new byte[16][];

    private int generation;
    private long hash;
    private int hashed;
    private int lookUps;
    private long lookUpsBefore;
    private int found;
    private int pause;
    private int pausing;

    /**
     * Creates an empty store.
     *
     * @param maxBytes the most bytes to take; when they are taken, no text is added
     */
    public KeyTexts(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    /** {@return a count that changes when all numbers of key texts become invalid} */
    public int generation() {
        return generation;
    }

    /** {@return how many times a key text was looked up since the store was created} */
    public long lookUps() {
        return lookUpsBefore + lookUps;
    }

    /** {@return the number of key texts, whose numbers begin at 0} */
    public int size() {
        return size;
    }

    /** {@return the form of a key text} */
    public Form form(int number) {
        return forms[number];
    }

    /** {@return the number of bytes of a key text} */
    public int length(int number) {
        return lengths[number];
    }

    /**
     * Finds a key text.
     *
     * @param in contains the record
     * @param from the index at which a key text of the form begins if there is one
     * @param end the end of the bytes that belong to the record, or of the bytes that are known
     * @return its number; -1 if there is none, or it was not searched
     */
    public int find(Form form, byte[] in, int from, int end) {
        hashed = 0;
        lookUps++;
        if (pausing > 0 || !hash(form, in, from, end)) {
            return -1;
        }
        int compared = 0;
        int at = (int) (hash >>> shift);
        for (long slot; (slot = table[at]) != 0; at = at + 1 & table.length - 1) {
            if (((slot ^ hash) & TAG) == 0) {
                int number = (int) slot - 1;
                if (is(number, form, in, from, end)) {
                    found++;
                    return number;
                }
                if (++compared == MAX_COMPARED) {
                    hashed = 0;
                    return -1;
                }
            }
        }
        return -1;
    }

    /**
     * Finds a key text, and gives it to a row.
     *
     * @return its length; 0 if it was not found
     */
    public int find(Form form, byte[] in, int from, int end, RecordRow row) {
        int number = find(form, in, from, end);
        if (number < 0) {
            return 0;
        }
        row.setKeyText(this, number);
        if (form.isRead) {
            row.expand();
        }
        return lengths[number];
    }

    /**
     * Finds a key text of at most 8 bytes with one mark, as most of one column are. The end of the text comes from its bytes and not
     * from memory, so that a processor begins with what follows before it has found the text.
     *
     * @param from the index at which it begins; 8 bytes must follow
     * @return its number and, in the lower 32 bits, its length; -1 if it is not such a text, or was not found
     */
    public long findShort(Form form, byte[] in, int from) {
        long word = (long) LONGS.get(in, from);
        long x = word ^ form.pattern;
        long marks = x - ONES & ~x & HIGHS;
        if (marks == 0 || form != shortForm) {
            return -1;
        }
        int zeros = Long.numberOfTrailingZeros(marks);
        word &= -1L >>> 63 - zeros;
        long[] texts = shorts;
        int at = shortPlace(word);
        // No text is zero, because it ends with the mark.
        for (long text; (text = texts[at]) != word; at = at + 2 & texts.length - 1) {
            if (text == 0) {
                return -1;
            }
        }
        lookUps++;
        found++;
        return texts[at + 1] | zeros + 1 >>> 3;
    }

    private int shortPlace(long word) {
        return (int) ((word ^ word >>> 32) * FACTOR >>> shortShift) << 1;
    }

    /** Adds the last text for {@link #findShort}, if that can find it. */
    private void addShort(Form form, byte[] page, int place, int length) {
        shortForm = shortForm == null && form.marks == 1 && form.mark != 0 ? form : shortForm;
        if (form != shortForm || length > 8 || page[place + length - 1] != form.mark) {
            return;
        }
        if (4 * ++shortSize > shorts.length) {
            long[] old = shorts;
            shorts = new long[old.length * 2];
            shortShift--;
            for (int i = 0; i < old.length; i += 2) {
                if (old[i] != 0) {
                    putShort(old[i], old[i + 1]);
                }
            }
        }
        long word = (long) LONGS.get(page, place);
        putShort(length == 8 ? word : word & -1L >>> 64 - (length << 3), (long) size << 32);
    }

    private void putShort(long word, long number) {
        int at = shortPlace(word);
        while (shorts[at] != 0) {
            at = at + 2 & shorts.length - 1;
        }
        shorts[at] = word;
        shorts[at + 1] = number;
    }

    private static long mix(long sum, int length) {
        long mixed = (sum ^ length) * FACTOR;
        return (mixed ^ mixed >>> 32) * LAST_FACTOR;
    }

    private boolean is(int number, Form form, byte[] in, int from, int end) {
        int length = lengths[number];
        if (length > end - from || forms[number] != form) {
            return false;
        }
        long place = places[number];
        byte[] page = pages[(int) (place >>> 32)];
        int start = (int) place;
        if (length <= 32 && from + length + 8 <= in.length) {
            return isShort(page, start, in, from, length);
        }
        return Arrays.equals(page, start, start + length, in, from, from + length);
    }

    /** Compares 8 bytes at a time. Texts are padded in their pages, so that reading beyond the end is safe. */
    private static boolean isShort(byte[] page, int start, byte[] in, int from, int length) {
        int i = 0;
        for (; i <= length - 8; i += 8) {
            if ((long) LONGS.get(page, start + i) != (long) LONGS.get(in, from + i)) {
                return false;
            }
        }
        long difference = (long) LONGS.get(page, start + i) ^ (long) LONGS.get(in, from + i);
        return length == i || difference << 64 - (length - i << 3) == 0;
    }

    /**
     * Hashes the bytes up to the last mark. Returns false if it does not come before the end of the record, or too late.
     */
    private boolean hash(Form form, byte[] in, int from, int end) {
        long pattern = form.pattern;
        int missing = form.marks;
        if (missing == 0) {
            return false;
        }
        int last = Math.min(in.length - 8, from + MAX_TEXT);
        long factor = FACTOR;
        long sum = form.seed;
        for (int at = from; at <= last; at += 8) {
            long word = (long) LONGS.get(in, at);
            long x = word ^ pattern;
            // Exact for each byte: the highest bit is set where the byte is the mark.
            long marks = ~((x & LOWS) + LOWS | x | LOWS);
            int count = Long.bitCount(marks);
            if (count >= missing) {
                for (; missing > 1; missing--) {
                    marks &= marks - 1;
                }
                int zeros = Long.numberOfTrailingZeros(marks);
                int length = at - from + (zeros + 1 >>> 3);
                word &= -1L >>> 63 - zeros;
                sum += (word ^ word >>> 32) * factor;
                hash = mix(sum, length);
                hashed = length;
                return from + length <= end;
            }
            missing -= count;
            sum += (word ^ word >>> 32) * factor;
            factor += STEP;
        }
        return false;
    }

    /**
     * Adds the key text that the last {@link #find} has not found, after it was parsed.
     *
     * @param from the index at which it begins, as for the last look-up
     * @param to its end; the bytes before it determine all values of the form's slots, and that nothing else belongs to them
     * @param row has the values
     * @return its number; -1 if it was not added
     */
    public int add(Form form, byte[] in, int from, int to, RecordRow row) {
        if (pausing > 0) {
            return -1;
        }
        if (form.marks == 0) {
            form.marks = count(in, from, to, form.mark);
            if (!hash(form, in, from, to)) {
                return -1;
            }
        }
        int length = to - from;
        if (hashed == 0 || hashed > length || length > MAX_TEXT || bytes > maxBytes) {
            return -1;
        }
        if (size == lengths.length) {
            grow();
        }
        int extra = outside(form, in, from, to, row);
        int place = place(length + 8 + extra);
        byte[] page = pages[pages.length - 1];
        System.arraycopy(in, from, page, place, length);
        places[size] = (long) pages.length - 1 << 32 | place;
        lengths[size] = length;
        forms[size] = form;
        addShort(form, page, place, length);
        keep(in, from, to, row);
        size++;
        if (2 * size > table.length) {
            growTable();
        }
        put(hash & TAG | size);
        bytes += length + extra + 9L * form.slots.length + 128;
        return size - 1;
    }

    private static int count(byte[] in, int from, int to, byte mark) {
        int count = 0;
        for (int at = from; at < to; at++) {
            count += in[at] == mark ? 1 : 0;
        }
        return count;
    }

    /** Returns the length of all texts that are not in the record as they are: those with escapes. */
    private static int outside(Form form, byte[] in, int from, int to, RecordRow row) {
        int length = 0;
        for (int slot : form.slots) {
            length += row.kind(slot) == RecordRow.UTF8 && !isInside(row, slot, in, from, to) ? row.length(slot) : 0;
        }
        return length;
    }

    private static boolean isInside(RecordRow row, int slot, byte[] in, int from, int to) {
        return row.utf8(slot) == in && row.from(slot) >= from && row.from(slot) + row.length(slot) <= to;
    }

    /** Stores the values of the last text. The position of a value is relative to the text. */
    private void keep(byte[] in, int from, int to, RecordRow row) {
        int[] slots = forms[size].slots;
        int place = (int) places[size];
        byte[] page = pages[pages.length - 1];
        int next = place + lengths[size] + 8;
        long[] bits = new long[slots.length];
        byte[] kind = new byte[slots.length];
        for (int i = 0; i < slots.length; i++) {
            int slot = slots[i];
            kind[i] = row.kind(slot);
            bits[i] = row.getLong(slot);
            if (kind[i] == RecordRow.UTF8) {
                int length = row.length(slot);
                int at = row.from(slot) - from;
                if (!isInside(row, slot, in, from, to)) {
                    System.arraycopy(row.utf8(slot), row.from(slot), page, next, length);
                    at = next - place;
                    next += length;
                }
                bits[i] = (long) at << 32 | length;
            }
        }
        values[size] = bits;
        kinds[size] = kind;
    }

    private int place(int length) {
        if (used + length > PAGE) {
            pages = Arrays.copyOf(pages, pages.length + 1);
            pages[pages.length - 1] = new byte[PAGE];
            used = 0;
        }
        int place = used;
        used += length;
        return place;
    }

    private void grow() {
        int capacity = size * 2;
        forms = Arrays.copyOf(forms, capacity);
        places = Arrays.copyOf(places, capacity);
        lengths = Arrays.copyOf(lengths, capacity);
        values = Arrays.copyOf(values, capacity);
        kinds = Arrays.copyOf(kinds, capacity);
    }

    private void growTable() {
        long[] old = table;
        table = new long[old.length * 2];
        shift--;
        for (long slot : old) {
            if (slot != 0) {
                // The slot has the upper bits of the hash only, which choose the place.
                put(slot);
            }
        }
    }

    private void put(long slot) {
        int at = (int) (slot >>> shift);
        while (table[at] != 0) {
            at = at + 1 & table.length - 1;
        }
        table[at] = slot;
    }

    /** Puts the values of a key text into their slots of a row. */
    void expand(int number, RecordRow row) {
        int[] slots = forms[number].slots;
        byte[] page = pages[(int) (places[number] >>> 32)];
        long base = (long) (int) places[number] << 32;
        for (int i = 0; i < slots.length; i++) {
            byte kind = kinds[number][i];
            row.put(slots[i], kind, kind == RecordRow.UTF8 ? values[number][i] + base : values[number][i], page);
            row.setPrecedence(slots[i], kind == RecordRow.NONE ? 0 : forms[number].precedences[i]);
        }
    }

    /**
     * Removes all texts if they are of no use. Call it now and then, while no row refers to a text.
     */
    public void judge() {
        if (lookUps < PERIOD) {
            return;
        }
        boolean useful = pausing == 0 && found >= lookUps >> 2;
        lookUpsBefore += lookUps;
        lookUps = 0;
        found = 0;
        if (pausing > 0) {
            pausing--;
        } else if (useful) {
            pause = 0;
        } else {
            pause = Math.min(MAX_PAUSE, 2 * pause + 1);
            pausing = pause;
            clear();
        }
    }

    /** Removes all key texts. */
    public void clear() {
        generation++;
        table = new long[64];
        shift = 58;
        size = 0;
        pages = new byte[][] {new byte[0]};
        used = PAGE;
        bytes = 0;
        forms = new Form[16];
        places = new long[16];
        lengths = new int[16];
        shortForm = null;
        shorts = new long[128];
        shortShift = 58;
        shortSize = 0;
        values = new long[16][];
        kinds = new byte[16][];
    }
}
