package io.updraft.bench;

import java.util.ArrayList;
import java.util.List;

/** Reads message sizes: {@code 10}, {@code 10,100,1000}, {@code 10..10240} or {@code 10..10240x2}. */
final class Sizes {

    private static final String OPTION = "--messageSize";
    private static final int DEFAULT_FACTOR = 4;
    private static final int LARGEST = 64 << 20;

    private Sizes() {}

    static List<Integer> parse(String text) {
        List<Integer> sizes = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            int dots = part.indexOf("..");
            if (dots < 0) {
                sizes.add(size(part, text));
            } else {
                sizes.addAll(range(part.substring(0, dots), part.substring(dots + 2), text));
            }
        }
        return sizes;
    }

    /** Steps are geometric and end at the last size, whether or not a step falls on it. */
    private static List<Integer> range(String first, String rest, String text) {
        int x = rest.indexOf('x');
        int factor = x < 0 ? DEFAULT_FACTOR : size(rest.substring(x + 1), text);
        int from = size(first, text);
        int to = size(x < 0 ? rest : rest.substring(0, x), text);
        if (from >= to || factor < 2) {
            throw new UsageError(
                    OPTION, text, "a range is FIRST..LAST or FIRST..LASTxFACTOR, upwards, factor 2 or more");
        }
        List<Integer> sizes = new ArrayList<>();
        for (long size = from; size < to; size *= factor) {
            sizes.add((int) size);
        }
        sizes.add(to);
        return sizes;
    }

    private static int size(String number, String text) {
        try {
            int size = Integer.parseInt(number.trim());
            if (size >= 1 && size <= LARGEST) {
                return size;
            }
        } catch (NumberFormatException e) {
            // said below
        }
        throw new UsageError(OPTION, text, "'" + number + "' is not a number of bytes from 1 to " + LARGEST);
    }
}
