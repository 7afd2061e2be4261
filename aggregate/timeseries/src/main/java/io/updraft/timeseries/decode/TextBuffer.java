package io.updraft.timeseries.decode;

/** Texts of a record that differ from its bytes, one after the other. Rows refer to them until the next record. */
final class TextBuffer {

    private static final int MAX_KEPT = 1 << 20;

    byte[] bytes = new byte[256];
    int used;

    void reserve(int length) {
        if (bytes.length - used < length) {
            // Rows may refer to the old array, so the old array is not reused.
            bytes = new byte[Math.max(2 * bytes.length, length)];
            used = 0;
        }
    }

    /** Copies a checked string of JSON, with its escapes decoded, to the free part of the buffer. Returns its start. */
    int decodeJson(byte[] in, int from, int close) {
        reserve(close - from);
        byte[] out = bytes;
        int begin = used;
        int to = begin;
        int at = from;
        while (at < close) {
            byte c = in[at++];
            if (c != '\\') {
                out[to++] = c;
            } else if (in[at] == 'u') {
                int point = hex(in, at - 1, close);
                at += 5;
                if (point >= 0xd800 && point <= 0xdfff) {
                    point = Character.toCodePoint((char) point, (char) hex(in, at, close));
                    at += 6;
                }
                to = Utf8Decoding.write(point, out, to);
            } else {
                out[to++] = switch (in[at++]) {
                    case 'b' -> '\b';
                    case 'f' -> '\f';
                    case 'n' -> '\n';
                    case 'r' -> '\r';
                    case 't' -> '\t';
                    default -> in[at - 1];
                };
            }
        }
        used = to;
        return begin;
    }

    /** Returns the value of an escape's four digits; -1 if they are not four hexadecimal digits. */
    static int hex(byte[] in, int at, int end) {
        int unit = 0;
        for (int i = at + 2; i < at + 6; i++) {
            int digit = i < end ? Character.digit(in[i], 16) : -1;
            if (digit < 0) {
                return -1;
            }
            unit = unit << 4 | digit;
        }
        return unit;
    }

    void forget() {
        if (bytes.length > MAX_KEPT) {
            bytes = new byte[256];
        }
    }
}
