package io.updraft.timeseries.decode;

/** Strings of JSON with their escapes decoded. */
final class JsonTextBuffer extends TextBuffer {

    /** Copies a checked string, with its escapes decoded, to the free part of the buffer. Returns its start. */
    int decode(byte[] in, int from, int close) {
        reserve(close - from);
        int begin = used;
        int at = from;
        while (at < close) {
            int c = in[at];
            if (c != '\\') {
                bytes[used++] = (byte) c;
                at++;
            } else if (in[at + 1] == 'u') {
                at = unicode(in, at, close);
            } else {
                bytes[used++] = decoded(in[at + 1]);
                at += 2;
            }
        }
        return begin;
    }

    private static byte decoded(byte c) {
        return switch (c) {
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            default -> c;
        };
    }

    private int unicode(byte[] in, int at, int close) {
        int point = hex(in, at, close);
        int after = at + 6;
        if (point >= 0xd800 && point <= 0xdfff) {
            point = Character.toCodePoint((char) point, (char) hex(in, after, close));
            after += 6;
        }
        used = Utf8Decoding.write(point, bytes, used);
        return after;
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
}
