package io.updraft.examples.wordcount;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/**
 * What one counter has counted of one reader's lines, so that a line that was replayed counts once.
 *
 * <p>Only the last {@link LinesInFlight#WINDOW} line numbers are remembered. That is enough: the reader never emits line
 * {@code n} before every line up to {@code n - WINDOW} was acked, and acked means counted. A tuple of such an old line can
 * only be a late copy.
 */
final class SeenWords {
    private static final int WINDOW = LinesInFlight.WINDOW;

    private final long[] numbers = new long[WINDOW];
    private final Object[] words = new Object[WINDOW];
    private long newest = -1;

    SeenWords() {
        Arrays.fill(numbers, -1);
    }

    /** {@return whether this word of this line was not counted before; from now on it was} */
    boolean isNew(long number, String word) {
        if (number <= newest - WINDOW) {
            return false;
        }
        newest = Math.max(newest, number);
        return remember((int) (number & (WINDOW - 1)), number, word);
    }

    // Most lines have one word for a counter, or few: a set is made for the second.
    @SuppressWarnings("unchecked")
    private boolean remember(int slot, long number, String word) {
        if (numbers[slot] != number) {
            numbers[slot] = number;
            words[slot] = word;
            return true;
        }
        if (words[slot] instanceof Set) {
            return ((Set<String>) words[slot]).add(word);
        }
        if (words[slot].equals(word)) {
            return false;
        }
        words[slot] = new HashSet<>(Set.of((String) words[slot], word));
        return true;
    }
}
