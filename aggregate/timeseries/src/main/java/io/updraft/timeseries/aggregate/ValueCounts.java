package io.updraft.timeseries.aggregate;

import java.util.Arrays;
import java.util.function.LongUnaryOperator;

/**
 * All different values of a field in one group, and how often each occurred if that is asked for. Numbers are keys that have their
 * order; texts are the ids of a dictionary. An open-addressing table with linear probing. One thread only.
 */
final class ValueCounts {

    /** The bytes of this object and the headers of its arrays. */
    private static final int OBJECTS = 96;

    /** The keys; 0 where there is none. */
    private long[] keys = new long[4];
    /** How often the key of the same index occurred; null if that is not counted. */
    private long[] counts;
    /** The number of keys other than 0. */
    private int size;
    /** How often the key 0 occurred. */
    private long zeros;
    /** The keys in their order; null if a key was added since. */
    private long[] sorted;

    ValueCounts(boolean counted) {
        counts = counted ? new long[keys.length] : null;
    }

    private ValueCounts(ValueCounts original) {
        keys = original.keys.clone();
        counts = original.counts == null ? null : original.counts.clone();
        size = original.size;
        zeros = original.zeros;
    }

    ValueCounts copy() {
        return new ValueCounts(this);
    }

    /** Returns the key of a floating-point number. Both zeros have one key, and so do all NaNs, which come last. */
    static long key(double value) {
        return GroupState.ordered(value + 0.0);
    }

    boolean isCounted() {
        return counts != null;
    }

    void add(long key, long count) {
        if (key == 0) {
            sorted = zeros == 0 ? null : sorted;
            zeros += count;
            return;
        }
        int at = index(key);
        if (keys[at] == 0) {
            if (4L * (size + 1) > 3L * keys.length) {
                grow();
                at = index(key);
            }
            keys[at] = key;
            size++;
            sorted = null;
        }
        if (counts != null) {
            counts[at] += count;
        }
    }

    private int index(long key) {
        int mask = keys.length - 1;
        int at = (int) (KeyHash.of(key, 1) >>> 32) & mask;
        while (keys[at] != 0 && keys[at] != key) {
            at = at + 1 & mask;
        }
        return at;
    }

    private void grow() {
        long[] oldKeys = keys;
        long[] oldCounts = counts;
        keys = new long[oldKeys.length * 2];
        counts = oldCounts == null ? null : new long[keys.length];
        for (int i = 0; i < oldKeys.length; i++) {
            if (oldKeys[i] != 0) {
                int at = index(oldKeys[i]);
                keys[at] = oldKeys[i];
                if (counts != null) {
                    counts[at] = oldCounts[i];
                }
            }
        }
    }

    /** Receives a key and how often it occurred; once if that is not counted. */
    interface Entries {
        void entry(long key, long count);
    }

    void forEach(Entries entries) {
        if (zeros > 0) {
            entries.entry(0, zeros);
        }
        for (int i = 0; i < keys.length; i++) {
            if (keys[i] != 0) {
                entries.entry(keys[i], counts == null ? 1 : counts[i]);
            }
        }
    }

    /** Replaces each key; no two keys become one. */
    void map(LongUnaryOperator mapping) {
        ValueCounts mapped = new ValueCounts(isCounted());
        forEach((key, count) -> mapped.add(mapping.applyAsLong(key), count));
        keys = mapped.keys;
        counts = mapped.counts;
        size = mapped.size;
        zeros = mapped.zeros;
        sorted = null;
    }

    /** Returns the number of different values. */
    long distinct() {
        return zeros > 0 ? size + 1L : size;
    }

    /** Returns how often a key occurred. */
    long count(long key) {
        return key == 0 ? zeros : counts[index(key)];
    }

    private long total() {
        return counts == null ? distinct() : zeros + Arrays.stream(counts).sum();
    }

    /** Returns the key of a rank, from 0: the key of so many values in their order, each as often as it occurred. */
    long keyOfRank(long rank) {
        if (sorted == null) {
            sorted = new long[(int) distinct()];
            int[] next = {0};
            forEach((key, count) -> sorted[next[0]++] = key);
            Arrays.sort(sorted);
        }
        long before = 0;
        for (long key : sorted) {
            before += count(key);
            if (before > rank) {
                return key;
            }
        }
        throw new IllegalArgumentException("there are only " + before + " values, and none of rank " + rank);
    }

    /** Returns the key of the greatest value that a share of all values does not exceed, as the standard's percentile_disc. */
    long discrete(double share) {
        long total = total();
        long rank = Math.max(1, total - (long) Math.floor(total - total * share)) - 1;
        return keyOfRank(rank);
    }

    /** A position between two keys: that share of the way from one to the other. */
    record Between(long lower, long upper, double share) {}

    /** Returns where the value of a share lies, as the standard's percentile_cont. */
    Between continuous(double share) {
        double rank = (total() - 1) * share;
        long lower = (long) Math.floor(rank);
        return new Between(keyOfRank(lower), keyOfRank((long) Math.ceil(rank)), rank - lower);
    }

    /** Returns the memory size, bytes. */
    long bytes() {
        return OBJECTS
                + 8L * keys.length
                + (counts == null ? 0 : 8L * counts.length)
                + (sorted == null ? 0 : 8L * sorted.length);
    }
}
