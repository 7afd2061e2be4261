package io.updraft.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Parses a list or range of byte counts: {@code 10}, {@code 10,100,1k}, {@code 10..10240} or {@code 4k..1mx2}.
 *
 * @param largest the largest byte count allowed
 */
record ByteSizes(String option, int largest) {

    static final ByteSizes MESSAGES = new ByteSizes("--messageSize", 64 << 20);

    private static final int DEFAULT_FACTOR = 4;
    private static final int KILO = 1 << 10;

    List<Integer> parse(String text) {
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

    /** Steps are geometric. The range always ends with its last size, even if no step falls on it. */
    private List<Integer> range(String first, String rest, String text) {
        int x = rest.indexOf('x');
        int factor = x < 0 ? DEFAULT_FACTOR : size(rest.substring(x + 1), text);
        int start = size(first, text);
        int to = size(x < 0 ? rest : rest.substring(0, x), text);
        if (start >= to || factor < 2) {
            throw new UsageError(
                    option, text, "a range is FIRST..LAST or FIRST..LASTxFACTOR, FIRST < LAST, FACTOR 2 or more");
        }
        List<Integer> sizes = new ArrayList<>();
        for (long size = start; size < to; size *= factor) {
            sizes.add((int) size);
        }
        sizes.add(to);
        return sizes;
    }

    private int size(String number, String text) {
        String digits = number.trim().toLowerCase(Locale.ROOT);
        long unit = digits.endsWith("k") ? KILO : digits.endsWith("m") ? KILO * KILO : 1;
        try {
            long size = unit * Integer.parseInt(unit == 1 ? digits : digits.substring(0, digits.length() - 1));
            if (size >= 1 && size <= largest) {
                return (int) size;
            }
        } catch (NumberFormatException e) {
            // reported below
        }
        throw new UsageError(
                option,
                text,
                "'" + number + "' is not a number of bytes from 1 to " + largest + " (k and m are allowed suffixes)");
    }
}
