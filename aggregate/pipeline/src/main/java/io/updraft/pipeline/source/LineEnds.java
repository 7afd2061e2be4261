package io.updraft.pipeline.source;

/**
 * The line ends of one partition. If the first line that is read ends with a carriage return alone, as in files of old spreadsheets,
 * each carriage return outside quotes ends a line: it becomes a line feed, so that positions stay the same. Other partitions keep
 * their bytes, and pay for one comparison each time that records are cut. Not thread-safe.
 */
final class LineEnds {

    private static final byte FEED = '\n';
    private static final byte RETURN = '\r';

    /** For a head whose delimiter is not known yet: any quote opens or closes. */
    private static final RecordCutter ANY_QUOTE = new RecordCutter() {
        @Override
        public int cut(byte[] bytes, int length) {
            return 0;
        }

        @Override
        public int opening(byte[] bytes, int from, int length) {
            return Bytes.indexOf(bytes, from, length, (byte) '"');
        }

        @Override
        public int closing(byte[] bytes, int from, int length) {
            return Bytes.indexOf(bytes, from, length, (byte) '"');
        }
    };

    private final RecordCutter cutter;
    private boolean decided;
    private boolean returns;

    LineEnds(RecordCutter cutter) {
        this.cutter = cutter;
    }

    /** Returns the end of the last whole record; 0 if there is none. */
    int cut(byte[] bytes, int length) {
        if (!decided) {
            decide(bytes, endOfLine(bytes, length), length);
        }
        if (returns) {
            feed(bytes, length, false);
        }
        return cutter.cut(bytes, length);
    }

    /** Prepares the last bytes of a partition, whose quotes need not be closed. */
    void finish(byte[] bytes) {
        if (!decided) {
            decide(bytes, firstOfBoth(bytes, 0, bytes.length), bytes.length);
        }
        if (returns) {
            feed(bytes, bytes.length, true);
        }
    }

    /** Returns the end of the first record, with its line end. Returns {@code length} if its quotes are not closed. */
    int afterFirst(byte[] bytes, int length) {
        int end = endOfLine(bytes, length);
        boolean isPair = end + 1 < length && bytes[end] == RETURN && bytes[end + 1] == FEED;
        return Math.min(length, isPair ? end + 2 : end + 1);
    }

    /** Returns the index of the first line end, even in quotes; {@code length} if there is none. */
    int anyEnd(byte[] bytes, int length) {
        if (decided && !returns) {
            return RecordCutter.Bytes.indexOf(bytes, 0, length, FEED);
        }
        int end = firstOfBoth(bytes, 0, length);
        decide(bytes, end, length);
        return returns || end == length ? end : RecordCutter.Bytes.indexOf(bytes, end, length, FEED);
    }

    // A carriage return in the last byte may be half of a line end.
    private void decide(byte[] bytes, int end, int length) {
        if (!decided && end < length && (bytes[end] == FEED || end + 1 < length)) {
            decided = true;
            returns = bytes[end] == RETURN && bytes[end + 1] != FEED;
        }
    }

    private int endOfLine(byte[] bytes, int length) {
        int at = 0;
        while (true) {
            int open = cutter.opening(bytes, at, length);
            int end = firstOfBoth(bytes, at, open);
            int close = open < length && end == open ? cutter.closing(bytes, open + 1, length) : length;
            if (end < open || close == length) {
                return end < open ? end : length;
            }
            at = close + 1;
        }
    }

    /**
     * Puts line feeds for carriage returns. Quotes that do not match hide none: a decoder continues at the next line. Quotes that are
     * open may still be closed, unless these are the last bytes of a partition.
     */
    private void feed(byte[] bytes, int length, boolean last) {
        int at = 0;
        while (at < length) {
            int open = cutter.opening(bytes, at, length);
            for (int i = at; i < open; i++) {
                bytes[i] = bytes[i] == RETURN ? FEED : bytes[i];
            }
            int close = open < length ? cutter.closing(bytes, open + 1, length) : length;
            boolean matches = close < length ? close + 1 == length || cutter.endsField(bytes[close + 1]) : !last;
            at = matches ? close + 1 : open + 1;
        }
    }

    private static int firstOfBoth(byte[] bytes, int from, int to) {
        int feed = RecordCutter.Bytes.indexOf(bytes, from, to, FEED);
        return RecordCutter.Bytes.indexOf(bytes, from, feed, RETURN);
    }

    /** Returns whether the bytes contain a whole line with any line end. */
    public static boolean hasLine(byte[] bytes, int length) {
        return firstOfBoth(bytes, 0, length) < length - 1 || length > 0 && bytes[length - 1] == FEED;
    }

    /** Returns the first bytes of a partition of JSON or CSV, with line feeds for carriage returns that end lines. */
    public static byte[] ofHead(byte[] head) {
        byte[] fed = head.clone();
        LineEnds lines = new LineEnds(head.length > 0 && head[0] == '{' ? RecordCutter.lines() : ANY_QUOTE);
        lines.cut(fed, fed.length);
        lines.finish(fed);
        return fed;
    }
}
