package io.updraft.timeseries.decode;

import java.util.Arrays;

/**
 * Where the values of one JSON record are: its key text, the values that columns read, and what no column reads. Values that a
 * {@link JsonTemplate} cannot have make the trace useless. One thread only.
 */
final class JsonTrace {

    static final int KEY = 0;
    static final int NUMBER = 1;
    static final int TEXT = 2;
    static final int UNREAD_NUMBER = 3;
    static final int UNREAD_TEXT = 4;

    private static final int MAX_VALUES = 512;

    private boolean isUsable;
    int from;
    int count;
    int[] kinds = new int[16];
    int[] starts = new int[16];
    int[] ends = new int[16];
    ColumnWriter[] columns = new ColumnWriter[16];
    /** Parses other key texts like that of the record; null if its values were not parsed. */
    JsonKeyTemplate newKeys;

    void begin(int at) {
        from = at;
        count = 0;
        newKeys = null;
        isUsable = true;
    }

    /** Returns whether a template can have all values. */
    boolean isUsable() {
        return isUsable;
    }

    /** Notes a key text that was found. */
    void key(int at, int after) {
        add(KEY, at, after, null);
    }

    /** Notes that the last values were those of a key text. */
    void parsedKey(byte[] in, int at, int after) {
        if (!isUsable) {
            return;
        }
        int first = count;
        while (first > 0 && starts[first - 1] >= at) {
            first--;
        }
        newKeys = JsonKeyTemplate.of(this, in, first, at, after);
        count = first;
        key(at, after);
    }

    /** Notes a number or, as {@code TEXT}, what is between quotes. */
    void value(int kind, int at, int after, ColumnWriter[] readers) {
        if (readers.length == 0) {
            add(kind == NUMBER ? UNREAD_NUMBER : UNREAD_TEXT, at, after, null);
        } else if (readers.length == 1) {
            add(kind, at, after, readers[0]);
        } else {
            other();
        }
    }

    void number(int at, int after, ColumnWriter reader) {
        add(NUMBER, at, after, reader);
    }

    /** Notes a value that no template can have. */
    void other() {
        isUsable = false;
    }

    private void add(int kind, int at, int after, ColumnWriter column) {
        if (count == MAX_VALUES) {
            other();
            return;
        }
        if (count == kinds.length) {
            kinds = Arrays.copyOf(kinds, 2 * count);
            starts = Arrays.copyOf(starts, 2 * count);
            ends = Arrays.copyOf(ends, 2 * count);
            columns = Arrays.copyOf(columns, 2 * count);
        }
        kinds[count] = kind;
        starts[count] = at;
        ends[count] = after;
        columns[count++] = column;
    }
}
