package io.updraft.engine.grouping;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Finds the heaviest keys of a stream in constant memory: the algorithm Space-Saving of Metwally, Agrawal and El Abbadi,
 * "Efficient Computation of Frequent and Top-k Elements in Data Streams", ICDT 2005. A key that is not in the full table takes
 * the entry with the least count, and inherits that count as its error.
 *
 * <p>With the total weight n and m entries, a count is never less than the true one, and more by at most n/m. So the table
 * contains each key that is heavier than n/m. A search looks at all entries, which suits a small table. Used by one thread.
 */
final class SpaceSaving {

    /**
     * One entry of a table.
     *
     * @param key the key
     * @param count the upper bound of its weight
     * @param error how much of the count may belong to other keys
     * @param slot the entry's position, the same until the key leaves the table
     */
    record Heavy(Object key, long count, long error, int slot) {

        /** Returns the weight that certainly belongs to the key. */
        long guaranteed() {
            return count - error;
        }
    }

    private final Object[] keys;
    private final int[] hashes;
    private final long[] counts;
    private final long[] errors;
    private int size;
    private long total;

    SpaceSaving(int capacity) {
        keys = new Object[capacity];
        hashes = new int[capacity];
        counts = new long[capacity];
        errors = new long[capacity];
    }

    /**
     * Adds weight to a key. Equality is that of the elements, if keys are arrays.
     *
     * @return the position of the key's entry if the key is new there, else -1
     */
    int add(Object key, int hash, long weight) {
        int slot = slotOf(key, hash);
        boolean isNew = slot < 0;
        if (isNew) {
            slot = size < keys.length ? size++ : least();
            keys[slot] = key;
            hashes[slot] = hash;
            errors[slot] = counts[slot];
        }
        counts[slot] += weight;
        total += weight;
        return isNew ? slot : -1;
    }

    private int slotOf(Object key, int hash) {
        for (int i = 0; i < size; i++) {
            if (hashes[i] == hash && areEqual(keys[i], key)) {
                return i;
            }
        }
        return -1;
    }

    private static boolean areEqual(Object a, Object b) {
        try {
            return Objects.deepEquals(a, b);
        } catch (Exception | LinkageError | StackOverflowError | AssertionError e) {
            // A fault of the key's class, which the component that counts the keys will meet too.
            return false;
        }
    }

    private int least() {
        int least = 0;
        for (int i = 1; i < size; i++) {
            if (counts[i] < counts[least]) {
                least = i;
            }
        }
        return least;
    }

    /** Halves all weights, so that what was added long ago counts less and less. The bounds remain valid, but for rounding. */
    void halve() {
        Arrays.setAll(counts, i -> counts[i] / 2);
        Arrays.setAll(errors, i -> errors[i] / 2);
        total /= 2;
    }

    /** Returns the weight of all keys. */
    long total() {
        return total;
    }

    /** Returns the entries with at least some guaranteed weight, the heaviest first. */
    List<Heavy> heaviest(long atLeast) {
        return IntStream.range(0, size)
                .filter(i -> counts[i] - errors[i] >= atLeast)
                .mapToObj(i -> new Heavy(keys[i], counts[i], errors[i], i))
                .sorted(Comparator.comparingLong(Heavy::guaranteed).reversed())
                .collect(Collectors.toUnmodifiableList());
    }
}
