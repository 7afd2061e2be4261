package io.updraft.pipeline.source;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Finds the end of the last whole record in a buffer. Keeps no state between calls. */
interface RecordCutter {

    /**
     * Returns the end of the last whole record.
     *
     * @return the index after the line feed of the last whole record; 0 if there is none
     */
    int cut(byte[] bytes, int length);

    /** Returns the index of the first quote that opens a field; {@code length} if there is none. */
    default int opening(byte[] bytes, int from, int length) {
        return length;
    }

    /**
     * Returns the index of the quote that closes a field, whose content begins at {@code from}; {@code length} if there is none. A
     * quote in the last byte does not count: it may be half of a doubled one.
     */
    default int closing(byte[] bytes, int from, int length) {
        return length;
    }

    /** Returns whether a field in quotes may end before this byte. */
    default boolean endsField(byte next) {
        return true;
    }

    static RecordCutter lines() {
        return (bytes, length) -> Bytes.lastLineFeed(bytes, 0, length) + 1;
    }

    /** Returns a cutter for which line feeds within quotes belong to the record. A quote opens only where a field begins. */
    static RecordCutter csv(byte quote, byte delimiter) {
        return new Csv(quote, delimiter);
    }

    record Csv(byte quote, byte delimiter) implements RecordCutter {
        @Override
        public int cut(byte[] bytes, int length) {
            int outside = 0;
            int before = 0;
            int open = opening(bytes, 0, length);
            while (open < length) {
                int end = closing(bytes, open + 1, length);
                if (end == length) {
                    int feed = Bytes.lastLineFeed(bytes, outside, open);
                    return feed < 0 ? before : feed + 1;
                }
                // Used only if later quotes are never closed; but then this part must not be searched again.
                int feed = Bytes.lastLineFeed(bytes, outside, open);
                before = feed < 0 ? before : feed + 1;
                outside = end + 1;
                open = opening(bytes, outside, length);
            }
            int feed = Bytes.lastLineFeed(bytes, outside, length);
            return feed < 0 ? before : feed + 1;
        }

        @Override
        public int opening(byte[] bytes, int from, int length) {
            int at = Bytes.indexOf(bytes, from, length, quote);
            while (at < length && !beginsField(bytes, at)) {
                at = Bytes.indexOf(bytes, at + 1, length, quote);
            }
            return at;
        }

        @Override
        public boolean endsField(byte next) {
            return next == delimiter || next == '\n' || next == '\r';
        }

        private boolean beginsField(byte[] bytes, int at) {
            if (at == 0) {
                return true;
            }
            byte before = bytes[at - 1];
            // A field also begins after a byte order mark.
            return before == delimiter || before == '\n' || before == '\r' || at == 3 && before == (byte) 0xBF;
        }

        @Override
        public int closing(byte[] bytes, int from, int length) {
            int at = Bytes.indexOf(bytes, from, length, quote);
            while (at < length - 1 && bytes[at + 1] == quote) {
                at = Bytes.indexOf(bytes, at + 2, length, quote);
            }
            return at >= length - 1 ? length : at;
        }
    }

    /** Searches eight bytes at a time. */
    final class Bytes {
        private static final VarHandle LONGS =
                MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
        private static final long ONES = 0x0101010101010101L;
        private static final long HIGHS = 0x8080808080808080L;

        private Bytes() {}

        /** Returns the index of the first such byte, or {@code to}. */
        static int indexOf(byte[] bytes, int from, int to, byte wanted) {
            long pattern = ONES * (wanted & 0xFF);
            int at = from;
            for (; at <= to - Long.BYTES; at += Long.BYTES) {
                long difference = (long) LONGS.get(bytes, at) ^ pattern;
                long zero = (difference - ONES) & ~difference & HIGHS;
                if (zero != 0) {
                    return at + (Long.numberOfTrailingZeros(zero) >>> 3);
                }
            }
            while (at < to && bytes[at] != wanted) {
                at++;
            }
            return Math.max(at, from) > to ? to : at;
        }

        /** Returns the index of the last line feed in {@code [from, to)}, or -1. */
        public static int lastLineFeed(byte[] bytes, int from, int to) {
            int at = to - 1;
            while (at >= from && bytes[at] != '\n') {
                at--;
            }
            return at < from ? -1 : at;
        }
    }
}
