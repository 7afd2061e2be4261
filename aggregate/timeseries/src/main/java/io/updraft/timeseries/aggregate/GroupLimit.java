package io.updraft.timeseries.aggregate;

import io.updraft.timeseries.dictionary.HashSet64;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** Limits the number of groups of all aggregators of a budget. Any thread. */
abstract sealed class GroupLimit {

    final long max;

    private GroupLimit(long most) {
        this.max = most;
    }

    static GroupLimit of(AggregatorOptions options) {
        if (options.maxGroups() == Long.MAX_VALUE) {
            return new None();
        }
        return options.spill() == null ? new Different(options.maxGroups()) : new Parts(options.maxGroups());
    }

    /** Registers a pane that an aggregator opened. */
    void opened(long pane) {}

    /**
     * Adds a group to an open pane of an aggregator.
     *
     * @param hash the hash of the group's dimensions, the same in all aggregators; computed only if needed
     * @return whether there is room for the group
     */
    abstract boolean add(long pane, LongSupplier hash);

    /** Registers groups that left the memory of an aggregator. */
    void left(long groups) {}

    /** Registers a pane that an aggregator dropped. */
    void forgotten(long pane) {}

    abstract long count();

    final boolean isExceeded() {
        return count() > max;
    }

    /** No limit. */
    private static final class None extends GroupLimit {
        private None() {
            super(Long.MAX_VALUE);
        }

        @Override
        boolean add(long pane, LongSupplier hash) {
            return true;
        }

        @Override
        long count() {
            return 0;
        }
    }

    /**
     * Limits the groups in memory, counted in each aggregator. A group without room is counted too, because it is added after
     * others were evicted.
     */
    private static final class Parts extends GroupLimit {
        private final AtomicLong count = new AtomicLong();

        private Parts(long most) {
            super(most);
        }

        @Override
        boolean add(long pane, LongSupplier hash) {
            return count.incrementAndGet() <= max;
        }

        @Override
        void left(long groups) {
            count.addAndGet(-groups);
        }

        @Override
        long count() {
            return count.get();
        }
    }

    /**
     * Limits different groups: a group with parts in several aggregators counts once. Groups are identified by their 64-bit
     * hash. They are removed with their pane, when the last aggregator drops it.
     */
    private static final class Different extends GroupLimit {
        private final Map<Long, Groups> panes = new HashMap<>();
        private long count;

        private static final class Groups {
            private final HashSet64 hashes = new HashSet64();
            private int aggregators;
        }

        private Different(long most) {
            super(most);
        }

        @Override
        synchronized void opened(long pane) {
            panes.computeIfAbsent(pane, start -> new Groups()).aggregators++;
        }

        @Override
        boolean add(long pane, LongSupplier hash) {
            long known = hash.getAsLong();
            synchronized (this) {
                HashSet64 hashes = panes.get(pane).hashes;
                if (count < max) {
                    count += hashes.add(known) ? 1 : 0;
                    return true;
                }
                return hashes.contains(known);
            }
        }

        @Override
        synchronized void forgotten(long pane) {
            Groups groups = panes.get(pane);
            if (--groups.aggregators == 0) {
                panes.remove(pane);
                count -= groups.hashes.size();
            }
        }

        @Override
        synchronized long count() {
            return count;
        }
    }
}
