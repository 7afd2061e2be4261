package io.updraft.timeseries.decode;

import java.nio.charset.StandardCharsets;

/** Well-formed UTF-8, by table 3-7 of the Unicode standard. */
final class Utf8Decoding {

    private static final int SHOWN = 40;

    private Utf8Decoding() {}

    /**
     * Skips a non-ASCII character.
     *
     * @return the start of the next character; -1 if this one is malformed or truncated
     */
    static int next(byte[] bytes, int at, int end) {
        int first = bytes[at] & 0xff;
        if (first < 0xc2 || first > 0xf4) {
            return -1;
        }
        int count = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
        if (end - at < count || !isSecond(first, bytes[at + 1] & 0xff)) {
            return -1;
        }
        for (int i = 2; i < count; i++) {
            if (bytes[at + i] >= (byte) 0xc0) {
                return -1;
            }
        }
        return at + count;
    }

    private static boolean isSecond(int first, int second) {
        int low = switch (first) {
            case 0xe0 -> 0xa0;
            case 0xf0 -> 0x90;
            default -> 0x80;
        };
        int high = switch (first) {
            case 0xed -> 0x9f;
            case 0xf4 -> 0x8f;
            default -> 0xbf;
        };
        return second >= low && second <= high;
    }

    /** Finds the first malformed character. Returns its start; -1 if there is none. */
    static int malformed(byte[] bytes, int from, int end) {
        int at = from;
        while (at < end) {
            if (bytes[at] >= 0) {
                at++;
            } else {
                int next = next(bytes, at, end);
                if (next < 0) {
                    return at;
                }
                at = next;
            }
        }
        return -1;
    }

    /** Writes a character. Returns the index after it. */
    static int write(int point, byte[] into, int from) {
        int at = from;
        if (point < 0x80) {
            into[at++] = (byte) point;
        } else if (point < 0x800) {
            into[at++] = (byte) (0xc0 | point >> 6);
            into[at++] = (byte) (0x80 | point & 0x3f);
        } else if (point < 0x10000) {
            into[at++] = (byte) (0xe0 | point >> 12);
            into[at++] = (byte) (0x80 | point >> 6 & 0x3f);
            into[at++] = (byte) (0x80 | point & 0x3f);
        } else {
            into[at++] = (byte) (0xf0 | point >> 18);
            into[at++] = (byte) (0x80 | point >> 12 & 0x3f);
            into[at++] = (byte) (0x80 | point >> 6 & 0x3f);
            into[at++] = (byte) (0x80 | point & 0x3f);
        }
        return at;
    }

    /** Returns a text as messages show it: in quotes, on one line, and shortened if it is long. */
    static String shown(byte[] bytes, int from, int length) {
        String text = new String(bytes, from, Math.min(length, SHOWN), StandardCharsets.UTF_8);
        StringBuilder line = new StringBuilder("\"");
        text.chars().forEach(c -> line.append(c < ' ' || c == 0x7f || c == 0xfffd ? '?' : (char) c));
        return line.append(length > SHOWN ? "..." : "").append('"').toString();
    }
}
