package io.updraft.timeseries.decode;

import io.updraft.timeseries.record.KeyTexts;
import io.updraft.timeseries.record.RowBlock;
import io.updraft.timeseries.record.Schema;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Reads the most common lines of CSV into blocks of rows: a known key text, short numbers, and fields that no column reads, without
 * quotes. Stops at any other line. One thread only.
 *
 * <p>Apart from {@link CsvScanner}, which reads all lines, so that the JVM compiles this short loop by itself and soon.
 */
final class CsvBlocks {

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGHS = 0x8080808080808080L;

    private static final int KEY = 0;
    private static final int NUMBER = 1;
    private static final int UNREAD = 2;

    /** The most lines that are read otherwise before a block is tried again. */
    private static final int MAX_PAUSE = 64;

    private static final int FEW_ROWS = 8;

    private final byte delimiter;
    private final byte quote;
    private final KeyTexts texts;
    private final RowBlock block;
    /** The layout of the block's rows. */
    private Layout prepared;

    private int pause;
    private int pausing;

    /**
     * The fields of a line, in order: what each is, the slot of a number, and whether it is a floating-point number.
     *
     * @param key the key text that consists of some of the fields; null if there is none
     */
    record Layout(int[] kinds, int[] slots, boolean[] real, CsvKeys.Range key) {

        /** Returns the layout of lines with some columns; null if there are fields that blocks cannot have. */
        static Layout of(ColumnWriter[][] byIndex, ColumnWriter[] numbers, CsvKeys.Range key) {
            int[] kinds = new int[byIndex.length];
            int[] slots = new int[byIndex.length];
            boolean[] real = new boolean[byIndex.length];
            Arrays.fill(slots, -1);
            int fields = 0;
            for (int i = 0; i < byIndex.length; i++) {
                if (key != null && i == key.first()) {
                    kinds[fields++] = KEY;
                    i = key.after() - 1;
                } else if (byIndex[i].length == 0) {
                    kinds[fields++] = UNREAD;
                } else if (numbers[i] != null) {
                    slots[fields] = numbers[i].slot();
                    real[fields] = numbers[i].isReal();
                    kinds[fields++] = NUMBER;
                } else {
                    return null;
                }
            }
            return new Layout(Arrays.copyOf(kinds, fields), slots, real, key);
        }
    }

    CsvBlocks(CsvFormat format, Schema schema, KeyTexts texts) {
        this.delimiter = (byte) format.delimiter();
        this.quote = (byte) format.quote();
        this.texts = texts;
        this.block = new RowBlock(schema, texts);
    }

    RowBlock block() {
        return block;
    }

    /**
     * Reads lines into the block, until it is full, or up to a line that it cannot have.
     *
     * @param position the position of the array's first byte
     * @return the start of the next line
     */
    int read(Layout layout, byte[] in, int from, int end, long position) {
        block.clear();
        if (pausing > 0) {
            pausing--;
            return from;
        }
        if (layout != prepared) {
            block.use(layout.slots, layout.real, layout.key != null);
            prepared = layout;
        }
        int at = lines(layout, in, from, end, position);
        int rows = block.count();
        pause = rows >= FEW_ROWS ? 0 : rows == 0 ? Math.min(MAX_PAUSE, 2 * pause + 1) : pause;
        pausing = rows == 0 ? pause : 0;
        return at;
    }

    private int lines(Layout layout, byte[] in, int from, int end, long position) {
        int at = from;
        while (at < end && !block.isFull()) {
            int next = line(layout, in, at, end);
            if (next < 0) {
                return at;
            }
            block.add(position + at, 0);
            at = next;
        }
        return at;
    }

    /** Reads a line into the arrays of the block. Returns the start of the next one; -1 if the block cannot have it. */
    private int line(Layout layout, byte[] in, int from, int end) {
        int[] kinds = layout.kinds;
        int row = block.count();
        int last = kinds.length - 1;
        int at = from;
        for (int i = 0; i <= last; i++) {
            int kind = kinds[i];
            if (kind == KEY) {
                long key = at + 8 <= end ? texts.findShort(layout.key.form(), in, at) : -1;
                key = key < 0 ? find(layout.key.form(), in, at, end) : key;
                if (key < 0) {
                    return -1;
                }
                block.keyTexts()[row] = (int) (key >>> 32);
                at += (int) key;
                continue;
            }
            int after = kind == UNREAD ? unread(in, at, end) : number(layout, i, row, in, at);
            if (after < 0) {
                return -1;
            }
            at = after(in, after, end, i == last);
            if (at < 0) {
                return -1;
            }
        }
        return at;
    }

    /** Finds a key text of any length. Returns its number and, in the lower 32 bits, its length; -1 if it is not known. */
    private long find(KeyTexts.Form form, byte[] in, int from, int end) {
        int number = texts.find(form, in, from, end);
        return number < 0 ? -1 : (long) number << 32 | texts.length(number);
    }

    private int number(Layout layout, int field, int row, byte[] in, int at) {
        int length = ShortNumber.put(in, at, layout.real[field], block.values(layout.slots[field]), row);
        return length < 0 ? -1 : at + length;
    }

    /** Returns the index after a delimiter, or after the line end if that is due; -1 if something else is there. */
    private int after(byte[] in, int at, int end, boolean last) {
        if (at >= end) {
            return -1;
        }
        if (!last) {
            return in[at] == delimiter ? at + 1 : -1;
        }
        if (in[at] == '\n') {
            return at + 1;
        }
        return in[at] == '\r' && at + 1 < end && in[at + 1] == '\n' ? at + 2 : -1;
    }

    /** Returns the end of a field that no column reads; -1 if it has quotes or bytes that must be checked. */
    private int unread(byte[] in, int from, int end) {
        int at = from;
        long delimiters = ONES * (delimiter & 0xff);
        long quotes = ONES * (quote & 0xff);
        while (at <= end - 8) {
            long word = (long) LONGS.get(in, at);
            long found = (zeros(word ^ delimiters) | zeros(word ^ quotes) | zeros(word ^ ONES * '\n') | word) & HIGHS;
            if (found != 0) {
                at += Long.numberOfTrailingZeros(found) >>> 3;
                return endOfUnread(in, from, at);
            }
            at += 8;
        }
        while (at < end && in[at] != delimiter && in[at] != '\n' && in[at] != quote && in[at] >= 0) {
            at++;
        }
        return at < end ? endOfUnread(in, from, at) : -1;
    }

    private int endOfUnread(byte[] in, int from, int at) {
        if (in[at] == quote || in[at] < 0) {
            return -1;
        }
        return in[at] == '\n' && at > from && in[at - 1] == '\r' ? at - 1 : at;
    }

    /** Sets the highest bit of the lowest byte that is zero; higher bytes may be wrong. */
    private static long zeros(long word) {
        return (word - ONES) & ~word;
    }
}
