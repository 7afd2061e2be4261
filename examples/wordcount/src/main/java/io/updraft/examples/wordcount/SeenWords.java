package io.updraft.examples.wordcount;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/**
 * The words of one reader's lines that one counter has counted, so that a replayed line counts once.
 *
 * <p>Keeps only the last {@link LinesInFlight#WINDOW} line numbers. That is enough: the reader emits line {@code n} only after
 * every line up to {@code n - WINDOW} is acked, and therefore counted. A tuple of such an old line can only be a late copy.
 */
final class SeenWords {
    private static final int WINDOW = LinesInFlight.WINDOW;

    private final long[] numbers = new long[WINDOW];
    private final Object[] words = new Object[WINDOW];
    private long newest = -1;

    SeenWords() {
        Arrays.fill(numbers, -1);
    }

    /** Marks a word of a line as counted. {@return whether the word of this line was not counted before} */
    boolean isNew(long number, String word) {
        if (number <= newest - WINDOW) {
            return false;
        }
        newest = Math.max(newest, number);
        return remember((int) (number & (WINDOW - 1)), number, word);
    }

    // Most lines have one word for a counter, so a set is created only for the second word.
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
