package io.updraft.timeseries.dictionary;

import java.util.Arrays;

/**
 * Texts one after the other in pages: {@code | length, 4 bytes | UTF-8, padded to 4 bytes | ...}. A position consists of the
 * number of the page and the index in it, in units of 4 bytes. Stored texts never change; {@link Dictionary} defines which
 * threads may read.
 */
final class TextPages {

    private static final int PAGE_SHIFT = 20;
    private static final int PAGE = 1 << PAGE_SHIFT;
    private static final int IN_PAGE = (PAGE >> 2) - 1;
    private static final int MAX_PAGES = 1 << 31 - (PAGE_SHIFT - 2);

    private byte[][] pages = {new byte[0]};
    private int used;
    private long bytes;

    /** Returns a read-only view. */
    TextPages view() {
        TextPages view = new TextPages();
        view.pages = pages;
        return view;
    }

    /** Adds a text. Returns its position; -1 if there is no more room. */
    int add(byte[] utf8, int from, int length) {
        int room = 4 + (length + 3 & ~3);
        if (used + room > pages[pages.length - 1].length && !makeRoom(room)) {
            return -1;
        }
        byte[] page = pages[pages.length - 1];
        KeyHash.putInt(page, used, length);
        System.arraycopy(utf8, from, page, used + 4, length);
        int position = pages.length - 1 << PAGE_SHIFT - 2 | used >> 2;
        // A text longer than a page has a page of its own, without other texts.
        used = room > PAGE ? page.length : used + room;
        return position;
    }

    /** Grows the first page, then adds pages. The outer array is replaced, so that a view keeps the old one. */
    private boolean makeRoom(int room) {
        boolean first = pages.length == 1 && used + room <= PAGE;
        if (!first && pages.length == MAX_PAGES) {
            return false;
        }
        byte[][] more = Arrays.copyOf(pages, first ? 1 : pages.length + 1);
        int last = more.length - 1;
        if (first) {
            more[0] = Arrays.copyOf(pages[0], Math.min(PAGE, Math.max(used + room, pages[0].length * 2)));
            bytes = more[0].length;
        } else {
            more[last] = new byte[Math.max(PAGE, room)];
            bytes += more[last].length;
            used = 0;
        }
        pages = more;
        return true;
    }

    boolean is(int position, byte[] utf8, int from, int length) {
        return length(position) == length && KeyHash.same(page(position), from(position), utf8, from, length);
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
