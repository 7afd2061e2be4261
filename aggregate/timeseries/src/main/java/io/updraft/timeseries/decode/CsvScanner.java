package io.updraft.timeseries.decode;

import io.updraft.timeseries.record.Decimal;
import io.updraft.timeseries.record.RecordRow;
import io.updraft.timeseries.record.RejectedRecordException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Parses a CSV record in place and passes fields to the columns that read them. {@link CsvFormat} defines the format. Scans 8
 * bytes at a time by arithmetic on words ("Hacker's Delight", 6-1).
 */
final class CsvScanner {

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGHS = 0x8080808080808080L;
    private static final ColumnWriter[] NO_NUMBERS = {};

    private final byte delimiter;
    private final byte quote;
    private final long delimiters;
    private final long quotes;
    private final byte[] none;
    /** Whether no number means no value, and neither delimiter nor quote can be part of a number. */
    private final boolean takesNumbers;

    private byte[] bytes;
    private int end;
    /** Whether a line feed ends a record. Otherwise it ends at the limit, or at a line feed before the limit. */
    private boolean line;

    private int start;
    private CsvColumns columns;
    private RecordRow row;
    private List<String> names;
    private int index;
    /** Whether the current field is the last one. A delimiter at the end is followed by an empty field. */
    private boolean ended;

    /** The bitwise OR of all bytes seen, for a check of their highest bits. */
    private long seen;

    private final TextBuffer texts = new TextBuffer();
    private final CsvKeys keys;

    CsvScanner(CsvFormat format, CsvKeys keys) {
        this.keys = keys;
        delimiter = (byte) format.delimiter();
        quote = (byte) format.quote();
        delimiters = ONES * delimiter;
        quotes = ONES * quote;
        none = format.nullText().getBytes(StandardCharsets.UTF_8);
        takesNumbers = !isPartOfNumber(delimiter)
                && !isPartOfNumber(quote)
                && (none.length == 0 || !new Decimal().text(none, 0, none.length));
    }

    private static boolean isPartOfNumber(byte c) {
        return c >= '0' && c <= '9' || c == '-' || c == '.';
    }

    /** Returns whether each short number is a value. */
    boolean takesNumbers() {
        return takesNumbers;
    }

    void set(byte[] in, int limit, boolean lines) {
        bytes = in;
        end = limit;
        line = lines;
    }

    byte[] bytes() {
        return bytes;
    }

    int limit() {
        return end;
    }

    static int afterBom(byte[] in, int limit) {
        boolean bom = limit >= 3 && in[0] == (byte) 0xef && in[1] == (byte) 0xbb && in[2] == (byte) 0xbf;
        return bom ? 3 : 0;
    }

    /** Returns the start of the line after an empty one; {@code at} if the line is not empty. */
    int afterBlank(int at) {
        int feed = at < end && bytes[at] == '\r' ? at + 1 : at;
        return feed < end && bytes[feed] == '\n' ? feed + 1 : at;
    }

    /** Parses a record. Returns the start of the next record. Throws {@link RejectedRecordException} when the record is malformed. */
    int record(int from, CsvColumns wanted, RecordRow into) {
        columns = wanted;
        row = into;
        int count = wanted.count();
        int after = fields(from);
        if (index != count) {
            throw new RejectedRecordException(
                    "CSV with " + index + (index == 1 ? " column" : " columns") + " instead of " + count);
        }
        checkText(from, after);
        return after;
    }

    /** Parses a record of names. Throws {@link RejectedRecordException} when the record is malformed. */
    List<String> names(int from) {
        names = new ArrayList<>();
        columns = null;
        try {
            checkText(from, fields(from));
            return names;
        } finally {
            names = null;
        }
    }

    private void checkText(int from, int after) {
        int malformed = malformed(from, after);
        if (malformed >= 0) {
            throw new RejectedRecordException("malformed UTF-8 at byte " + (malformed - from));
        }
    }

    /** Returns the index of the first malformed byte of a part that was seen; -1 if there is none. */
    private int malformed(int from, int after) {
        return (seen & HIGHS) == 0 ? -1 : Utf8Decoding.malformed(bytes, from, after);
    }

    /**
     * Returns the start of the next record, even if this one is rejected. If its quotes do not match, the next record starts after
     * its line.
     */
    int afterRecord(int from) {
        columns = null;
        try {
            return fields(from);
        } catch (RejectedRecordException e) {
            int at = from;
            while (at < end && !(line && bytes[at] == '\n')) {
                at++;
            }
            return Math.min(at + 1, end);
        }
    }

    /** Returns the end of a record without its line break. */
    int withoutLineEnd(int from, int after) {
        int last = after > from && bytes[after - 1] == '\n' ? after - 1 : after;
        return last < after && last > from && bytes[last - 1] == '\r' ? last - 1 : last;
    }

    private int fields(int from) {
        start = from;
        texts.used = 0;
        seen = 0;
        index = 0;
        int at = from;
        CsvKeys.Range key = columns == null ? null : columns.key;
        int keyFirst = key == null || key.isLast() && !line ? -1 : key.first();
        int keyFrom = -1;
        ColumnWriter[] numbers = columns == null || !takesNumbers ? NO_NUMBERS : columns.numbers;
        do {
            if (index == keyFirst) {
                int length = keys.find(key, bytes, at, end, row);
                if (length > 0) {
                    at += length;
                    index = key.after();
                    ended = key.isLast();
                    continue;
                }
                keyFrom = at;
            }
            if (index < numbers.length && numbers[index] != null) {
                int after = shortNumber(at, numbers[index]);
                if (after > 0) {
                    at = after;
                    index++;
                    continue;
                }
            }
            at = at < end && bytes[at] == quote ? quoted(at + 1) : plain(at);
            index++;
            if (keyFrom >= 0 && index == key.after() && malformed(keyFrom, at) < 0) {
                keys.add(key, bytes, keyFrom, at, ended, row);
            }
        } while (!ended);
        return at;
    }

    /** Takes a short number that a delimiter or a line feed ends. Returns the start of what follows; 0 if there is none. */
    private int shortNumber(int at, ColumnWriter column) {
        int shape = ShortNumber.shape(bytes, at);
        if (shape < 0) {
            return 0;
        }
        int after = at + ShortNumber.length(shape);
        if (after >= end) {
            return 0;
        }
        byte next = bytes[after];
        if (next != delimiter && (next != '\n' || !line) || !column.number(row, bytes, at, shape)) {
            return 0;
        }
        ended = next == '\n';
        return after + 1;
    }

    private int plain(int from) {
        byte[] in = bytes;
        int limit = end;
        int at = from;
        while (at <= limit - 8) {
            long word = (long) LONGS.get(in, at);
            long d = word ^ delimiters;
            long q = word ^ quotes;
            long n = word ^ ONES * '\n';
            seen |= word;
            long found = (((d - ONES) & ~d) | ((q - ONES) & ~q) | ((n - ONES) & ~n)) & HIGHS;
            if (found != 0) {
                at += Long.numberOfTrailingZeros(found) >>> 3;
                return plainEnd(from, at);
            }
            at += 8;
        }
        while (at < limit && in[at] != delimiter && in[at] != '\n' && in[at] != quote) {
            seen |= in[at++];
        }
        return plainEnd(from, at);
    }

    private int plainEnd(int from, int at) {
        if (at < end && bytes[at] == quote) {
            throw flaw(at, "a quote in a field that does not begin with one");
        }
        ended = at >= end || bytes[at] == '\n';
        int last = ended && at > from && bytes[at - 1] == '\r' ? at - 1 : at;
        deliver(bytes, from, last - from, false);
        return at < end ? afterSeparator(at) : end;
    }

    private int afterSeparator(int at) {
        if (!line && bytes[at] == '\n' && at + 1 < end) {
            throw flaw(at, "more than one line in a record");
        }
        return at + 1;
    }

    private int quoted(int from) {
        int at = from;
        boolean doubled = false;
        while (true) {
            at = nextQuote(at);
            if (at + 1 >= end || bytes[at + 1] != quote) {
                break;
            }
            doubled = true;
            at += 2;
        }
        if (doubled) {
            int begin = unescape(from, at);
            deliver(texts.bytes, begin, texts.used - begin, true);
        } else {
            deliver(bytes, from, at - from, true);
        }
        return afterQuoted(at + 1);
    }

    private int nextQuote(int from) {
        int at = from;
        while (at <= end - 8) {
            long word = (long) LONGS.get(bytes, at);
            long q = word ^ quotes;
            seen |= word;
            long found = (q - ONES) & ~q & HIGHS;
            if (found != 0) {
                return at + (Long.numberOfTrailingZeros(found) >>> 3);
            }
            at += 8;
        }
        while (at < end && bytes[at] != quote) {
            seen |= bytes[at++];
        }
        if (at >= end) {
            throw flaw(from - 1, "no quote ends the field");
        }
        return at;
    }

    private int afterQuoted(int from) {
        int at = from < end && bytes[from] == '\r' && (from + 1 == end || bytes[from + 1] == '\n') ? from + 1 : from;
        ended = at >= end || bytes[at] == '\n';
        if (!ended && (bytes[at] != delimiter || at != from)) {
            throw flaw(at, "text after the quote that ends a field");
        }
        return at < end ? afterSeparator(at) : end;
    }

    private void deliver(byte[] in, int from, int length, boolean quoted) {
        if (names != null) {
            names.add(new String(in, from, length, StandardCharsets.UTF_8));
        }
        if (columns == null || index >= columns.count()) {
            return;
        }
        ColumnWriter[] writers = columns.at(index);
        if (writers.length == 0) {
            return;
        }
        boolean isNone = length == none.length && Arrays.equals(in, from, from + length, none, 0, length);
        for (ColumnWriter column : writers) {
            column.field(row, in, from, length, quoted, isNone);
        }
    }

    /** Copies a field, with each pair of quotes as one, to the free part of the buffer. Returns its start. */
    private int unescape(int from, int last) {
        texts.reserve(last - from);
        int begin = texts.used;
        for (int at = from; at < last; at++) {
            texts.bytes[texts.used++] = bytes[at];
            at += bytes[at] == quote ? 1 : 0;
        }
        return begin;
    }

    private RejectedRecordException flaw(int at, String message) {
        return new RejectedRecordException("invalid CSV: " + message + " at byte " + (at - start));
    }

    /** Frees the memory that a huge record needed. */
    void forget() {
        bytes = null;
        texts.forget();
    }

    /** Maps the columns of CSV, by index, to the columns that read them. All records are rejected if there is a flaw. */
    record CsvColumns(
            String flaw, ColumnWriter[][] byIndex, ColumnWriter[] numbers, CsvKeys.Range key, CsvBlocks.Layout layout) {

        private static final ColumnWriter[] NO_COLUMNS = {};

        static CsvColumns flawed(String flaw) {
            return new CsvColumns(flaw, null, null, null, null);
        }

        /** Maps columns to CSV columns by name. Blanks around a name may be left out. Of equal names, the last counts. */
        static CsvColumns of(List<String> names, List<ColumnWriter> columns, CsvKeys keys) {
            ColumnWriter[][] byIndex = new ColumnWriter[names.size()][];
            Arrays.fill(byIndex, NO_COLUMNS);
            for (ColumnWriter column : columns) {
                int index = indexOf(names, column.column().path());
                if (index < 0 && column.column().fallback() == null) {
                    return flawed("column " + column.column().name() + ": CSV has no column "
                            + column.column().path());
                }
                if (index >= 0) {
                    byIndex[index] = PathNode.with(byIndex[index], column);
                }
            }
            ColumnWriter[] numbers = numbers(byIndex);
            CsvKeys.Range key = keys.longest(byIndex);
            return new CsvColumns(null, byIndex, numbers, key, CsvBlocks.Layout.of(byIndex, numbers, key));
        }

        /** Returns the columns that take short numbers as they are, by index; null where there is none, or another one too. */
        private static ColumnWriter[] numbers(ColumnWriter[][] byIndex) {
            ColumnWriter[] numbers = new ColumnWriter[byIndex.length];
            for (int i = 0; i < byIndex.length; i++) {
                ColumnWriter[] columns = byIndex[i];
                numbers[i] = columns.length == 1 && columns[0].takesShortNumbers() ? columns[0] : null;
            }
            return numbers;
        }

        private static int indexOf(List<String> names, String name) {
            int index = names.lastIndexOf(name);
            return index >= 0
                    ? index
                    : names.stream().map(String::strip).toList().lastIndexOf(name);
        }

        /** Returns the number of columns of each record. Throws {@link RejectedRecordException} when there is a flaw. */
        int count() {
            if (flaw != null) {
                throw new RejectedRecordException(flaw);
            }
            return byIndex.length;
        }

        ColumnWriter[] at(int index) {
            return byIndex[index];
        }
    }
}
