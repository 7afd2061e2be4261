package io.updraft.pipeline.source;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Finds where the last whole record in a buffer ends. Keeps nothing from one call to the next. */
interface RecordCutter {

    /**
     * Where the last whole record ends.
     *
     * @param bytes begin with a record
     * @param length how many there are
     * @return the index after the line feed that ends it; 0 if there is no whole record
     */
    int cut(byte[] bytes, int length);

    /** Every line feed ends a record. */
    static RecordCutter lines() {
        return (bytes, length) -> Bytes.lastLineFeed(bytes, 0, length) + 1;
    }

    /** Line feeds within quotes belong to the record. A quote is one only where a field begins, as CSV has it. */
    static RecordCutter csv(byte quote, byte delimiter) {
        return new Csv(quote, delimiter);
    }

    /** Of CSV. */
    final class Csv implements RecordCutter {
        private final byte quote;
        private final byte delimiter;

        private Csv(byte quote, byte delimiter) {
            this.quote = quote;
            this.delimiter = delimiter;
        }

        @Override
        public int cut(byte[] bytes, int length) {
            int outside = 0;
            int before = 0;
            int open = nextOpening(bytes, 0, length);
            while (open < length) {
                int end = closing(bytes, open + 1, length);
                if (end == length) {
                    int feed = Bytes.lastLineFeed(bytes, outside, open);
                    return feed < 0 ? before : feed + 1;
                }
                // Remembered only if the quotes after it never end, but then those of before must not be searched
                // again.
                int feed = Bytes.lastLineFeed(bytes, outside, open);
                before = feed < 0 ? before : feed + 1;
                outside = end + 1;
                open = nextOpening(bytes, outside, length);
            }
            int feed = Bytes.lastLineFeed(bytes, outside, length);
            return feed < 0 ? before : feed + 1;
        }

        private int nextOpening(byte[] bytes, int from, int length) {
            int at = Bytes.indexOf(bytes, from, length, quote);
            while (at < length && !beginsField(bytes, at)) {
                at = Bytes.indexOf(bytes, at + 1, length, quote);
            }
            return at;
        }

        private boolean beginsField(byte[] bytes, int at) {
            if (at == 0) {
                return true;
            }
            byte before = bytes[at - 1];
            // After a byte order mark, too.
            return before == delimiter || before == '\n' || before == '\r' || at == 3 && before == (byte) 0xBF;
        }

        /** Where the quotes end, or the length if they do not: at a quote that is the last byte, it may be half of a doubled one. */
        private int closing(byte[] bytes, int from, int length) {
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

        /** The index of the first such byte, or {@code to}. */
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

        /** The index of the last line feed in {@code [from, to)}, or -1. */
        static int lastLineFeed(byte[] bytes, int from, int to) {
            int at = to - 1;
            while (at >= from && bytes[at] != '\n') {
                at--;
            }
            return at < from ? -1 : at;
        }
    }
}
