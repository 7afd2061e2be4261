package io.updraft.timeseries.aggregate;

import io.updraft.timeseries.record.Row;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A dictionary of texts. A slot of the open-addressing table has the upper half of the text's hash and its id:
 *
 * <pre>
 *   slots      | hash, upper 32 bits | id, 32 bits |   0: free; the first bits of the hash choose the slot
 *   positions  id -> page and place in it, in units of 4 bytes
 *   pages      | length, 4 bytes | UTF-8, padded to 4 bytes | ...
 * </pre>
 */
final class TextDictionary extends Dictionary {

    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long TAG = 0xffffffff00000000L;
    private static final int PAGE_BITS = 20;
    private static final int PAGE = 1 << PAGE_BITS;
    private static final int IN_PAGE = (PAGE >> 2) - 1;
    private static final int MAX_PAGES = 1 << 32 - (PAGE_BITS - 2);

    private long[] slots = new long[16];
    private int shift = 60;
    private int[] positions = new int[8];
    private int size;
    private byte[][] pages = {new byte[256]};
    private int used;
    private long pageBytes = 256;
    private byte[] scratch = new byte[64];

    TextDictionary(String field) {
        super(field);
    }

    private TextDictionary(TextDictionary of) {
        super(of.field());
        positions = of.positions;
        size = of.size;
        pages = of.pages;
        slots = null;
    }

    @Override
    int id(Row row, int slot) {
        return switch (row.kind(slot)) {
            case Row.NONE -> 0;
            case Row.UTF8 -> id(row.utf8(slot), row.from(slot), row.length(slot));
            case Row.STRING -> id(row.string(slot));
            default ->
                throw new IllegalArgumentException(field() + " is a field of text, but a row has a number in it");
        };
    }

    @Override
    int id(Dictionary other, int id) {
        if (id == 0) {
            return 0;
        }
        TextDictionary texts = (TextDictionary) other;
        return id(texts.page(id), texts.from(id), texts.length(id));
    }

    int id(String text) {
        int length = text.length();
        if (length > scratch.length) {
            scratch = new byte[Math.max(length, scratch.length * 2)];
        }
        int ascii = ascii(text, scratch);
        if (ascii == length) {
            return id(scratch, 0, length);
        }
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        return id(utf8, 0, utf8.length);
    }

    /** Copies the characters before the first that is not ASCII, and says how many there are. */
    static int ascii(String text, byte[] to) {
        int length = text.length();
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            if (c >= 128) {
                return i;
            }
            to[i] = (byte) c;
        }
        return length;
    }

    int id(byte[] utf8, int from, int length) {
        long hash = Hash.of(utf8, from, length);
        long[] slots = this.slots;
        int at = (int) (hash >>> shift);
        for (long slot; (slot = slots[at]) != 0; at = at + 1 & slots.length - 1) {
            if (((slot ^ hash) & TAG) == 0 && is((int) slot, utf8, from, length)) {
                return (int) slot;
            }
        }
        return add(utf8, from, length, hash, at);
    }

    private boolean is(int id, byte[] utf8, int from, int length) {
        int position = positions[id];
        byte[] page = pages[position >>> PAGE_BITS - 2];
        int at = (position & IN_PAGE) << 2;
        return (int) INTS.get(page, at) == length && Hash.same(page, at + 4, utf8, from, length);
    }

    private int add(byte[] utf8, int from, int length, long hash, int at) {
        if (size == MAX) {
            throw full();
        }
        int position = append(utf8, from, length);
        int id = ++size;
        if (id == positions.length) {
            positions = Arrays.copyOf(positions, id * 2);
        }
        positions[id] = position;
        slots[at] = hash & TAG | id;
        if (size > slots.length >> 1) {
            grow();
        }
        return id;
    }

    private int append(byte[] utf8, int from, int length) {
        int room = 4 + (length + 3 & ~3);
        if (used + room > pages[pages.length - 1].length) {
            makeRoom(room);
        }
        byte[] page = pages[pages.length - 1];
        INTS.set(page, used, length);
        System.arraycopy(utf8, from, page, used + 4, length);
        int position = pages.length - 1 << PAGE_BITS - 2 | used >> 2;
        // A text longer than a page has one of its own, which takes nothing else.
        used = room > PAGE ? PAGE : used + room;
        return position;
    }

    /** Lets the first page grow, then adds pages. The outer array is replaced, so that whoever has a view sees what was there. */
    private void makeRoom(int room) {
        boolean first = pages.length == 1 && used + room <= PAGE;
        if (!first && pages.length == MAX_PAGES) {
            throw full();
        }
        byte[][] more = Arrays.copyOf(pages, first ? 1 : pages.length + 1);
        int last = more.length - 1;
        if (first) {
            more[0] = Arrays.copyOf(pages[0], Math.min(PAGE, Math.max(used + room, pages[0].length * 2)));
            pageBytes += more[0].length - pages[0].length;
        } else {
            more[last] = new byte[Math.max(PAGE, room)];
            pageBytes += more[last].length;
            used = 0;
        }
        pages = more;
    }

    /** The hashes are in the slots, so no text is touched, and both tables are gone through once, from front to back. */
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

    @Override
    void put(int id, Row row, int slot) {
        if (id == 0) {
            row.setNone(slot);
        } else {
            row.setText(slot, page(id), from(id), length(id));
        }
    }

    /** The array that holds a text. */
    byte[] page(int id) {
        return pages[positions[id] >>> PAGE_BITS - 2];
    }

    /** Where a text begins in its page. */
    int from(int id) {
        return ((positions[id] & IN_PAGE) << 2) + 4;
    }

    /** How many bytes a text has. */
    int length(int id) {
        return (int) INTS.get(page(id), from(id) - 4);
    }

    /** Compares two texts of two dictionaries by their bytes, which is the order of their code points. */
    static int compare(TextDictionary one, int id, TextDictionary other, int otherId) {
        return Arrays.compareUnsigned(
                one.page(id),
                one.from(id),
                one.from(id) + one.length(id),
                other.page(otherId),
                other.from(otherId),
                other.from(otherId) + other.length(otherId));
    }

    /** Compares the text in a slot of a row to one of these. */
    int compare(Row row, int slot, int id) {
        byte[] bytes;
        int from = 0;
        int length;
        if (row.kind(slot) == Row.UTF8) {
            bytes = row.utf8(slot);
            from = row.from(slot);
            length = row.length(slot);
        } else {
            bytes = row.string(slot).getBytes(StandardCharsets.UTF_8);
            length = bytes.length;
        }
        return Arrays.compareUnsigned(bytes, from, from + length, page(id), from(id), from(id) + length(id));
    }

    @Override
    int size() {
        return size;
    }

    @Override
    long bytes() {
        return 8L * slots.length + 4L * positions.length + pageBytes;
    }

    @Override
    Dictionary view() {
        return new TextDictionary(this);
    }

    @Override
    Dictionary fresh() {
        return new TextDictionary(field());
    }
}
