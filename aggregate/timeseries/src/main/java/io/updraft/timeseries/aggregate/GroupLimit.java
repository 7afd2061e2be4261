package io.updraft.timeseries.aggregate;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Limits the number of groups of all aggregators of a budget. Any thread.
 *
 * <p>If groups spill, it limits the groups in memory, counted in each aggregator. A group beyond the limit is counted too, because
 * it is added after others were evicted. Otherwise it limits different groups: a group with parts in several aggregators counts
 * once. Groups are then identified by their 64-bit hash, and removed with their pane, when the last aggregator drops it.
 */
final class GroupLimit {

    private final long max;
    private final boolean countsParts;
    private final boolean countsDifferent;
    private final AtomicLong parts = new AtomicLong();

    // Guarded by this.
    private final Map<WindowPane.Key, PaneGroups> panes = new HashMap<>();
    private long different;

    private static final class PaneGroups {
        final HashSet64 hashes = new HashSet64();
        int aggregators;
    }

    GroupLimit(AggregatorOptions options) {
        max = options.maxGroups();
        countsParts = max != Long.MAX_VALUE && options.spill() != null;
        countsDifferent = max != Long.MAX_VALUE && options.spill() == null;
    }

    void opened(WindowPane.Key pane) {
        if (countsDifferent) {
            synchronized (this) {
                panes.computeIfAbsent(pane, opened -> new PaneGroups()).aggregators++;
            }
        }
    }

    /**
     * Adds a group to an open pane of an aggregator.
     *
     * @param hash the hash of the group's dimensions, the same in all aggregators; computed only if needed
     * @return whether there is capacity for the group
     */
    boolean add(WindowPane.Key pane, LongSupplier hash) {
        if (!countsDifferent) {
            return !countsParts || parts.incrementAndGet() <= max;
        }
        long count = hash.getAsLong();
        synchronized (this) {
            HashSet64 hashes = panes.get(pane).hashes;
            if (different < max) {
                different += hashes.add(count) ? 1 : 0;
                return true;
            }
            return hashes.contains(count);
        }
    }

    /** Registers groups that left the memory of an aggregator. */
    void left(long groups) {
        if (countsParts) {
            parts.addAndGet(-groups);
        }
    }

    /** Registers a pane that an aggregator dropped. */
    void forgotten(WindowPane.Key pane) {
        if (countsDifferent) {
            synchronized (this) {
                PaneGroups groups = panes.get(pane);
                if (--groups.aggregators == 0) {
                    panes.remove(pane);
                    different -= groups.hashes.size();
                }
            }
        }
    }

    synchronized long count() {
        return countsDifferent ? different : parts.get();
    }

    boolean isExceeded() {
        return count() > max;
    }

    /**
     * A set of hashes: an open-addressing table with linear probing. Hashes are well mixed, so their first bits choose the slot.
     */
    private static final class HashSet64 {

        /** Marks a free slot. The hash with this value is stored as 1. */
        private static final long FREE = 0;

        private long[] slots = new long[16];
        private int shift = 60;
        private int size;

        boolean add(long hash) {
            long stored = hash == FREE ? 1 : hash;
            int at = slot(stored);
            if (slots[at] != FREE) {
                return false;
            }
            slots[at] = stored;
            if (++size > slots.length / 2) {
                grow();
            }
            return true;
        }

        boolean contains(long hash) {
            return slots[slot(hash == FREE ? 1 : hash)] != FREE;
        }

        int size() {
            return size;
        }

        /** Returns the slot of a hash, or the free slot where it belongs. */
        private int slot(long hash) {
            int at = (int) (hash >>> shift);
            while (slots[at] != FREE && slots[at] != hash) {
                at = at + 1 & slots.length - 1;
            }
            return at;
        }

        private void grow() {
            long[] old = slots;
            slots = new long[old.length * 2];
            shift--;
            for (long hash : old) {
                if (hash != FREE) {
                    slots[slot(hash)] = hash;
                }
            }
        }
    }
}
