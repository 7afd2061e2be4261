package io.updraft.timeseries.decode;

import io.updraft.timeseries.record.Decimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Reads numbers of a {@link NumberForm}: writes them as {@link Decimal} knows them. One thread only. */
final class NumberReader {

    private static final int USUAL_BYTES = 64;
    private static final int GROUP = 3;

    private final byte decimal;
    /** The grouping sign as UTF-8; empty if there is none. */
    private final byte[] thousands;

    private final byte[] usual = new byte[USUAL_BYTES];

    NumberReader(NumberForm form) {
        decimal = (byte) form.decimal();
        thousands = form.thousands() == NumberForm.NO_GROUPS
                ? new byte[0]
                : String.valueOf(form.thousands()).getBytes(StandardCharsets.UTF_8);
    }

    /** Returns whether a text is a number of the form; the decimal then contains it. */
    boolean read(Decimal number, byte[] bytes, int from, int length) {
        byte[] plain = length <= USUAL_BYTES ? usual : new byte[length];
        int end = from + length;
        int at = from;
        int used = 0;
        if (at < end && (bytes[at] == '-' || bytes[at] == '+')) {
            plain[used++] = bytes[at++];
        }
        int first = at;
        int digits = 0;
        boolean isGrouped = false;
        while (at < end) {
            if (bytes[at] >= '0' && bytes[at] <= '9') {
                plain[used++] = bytes[at++];
                digits++;
            } else if (isSign(bytes, at, end)) {
                // A group of zeros, as in 0.123, is most likely a fraction of another form.
                if (isGrouped ? digits != GROUP : digits == 0 || digits > GROUP || bytes[first] == '0') {
                    return false;
                }
                isGrouped = true;
                digits = 0;
                at += thousands.length;
            } else {
                break;
            }
        }
        if (isGrouped && digits != GROUP) {
            return false;
        }
        if (at < end && bytes[at] == decimal) {
            plain[used++] = '.';
            at++;
        } else if (at < end && bytes[at] == '.') {
            return false;
        }
        System.arraycopy(bytes, at, plain, used, end - at);
        return number.text(plain, 0, used + end - at);
    }

    private boolean isSign(byte[] bytes, int at, int end) {
        int length = thousands.length;
        return length > 0
                && bytes[at] == thousands[0]
                && at + length <= end
                && Arrays.equals(bytes, at, at + length, thousands, 0, length);
    }
}
