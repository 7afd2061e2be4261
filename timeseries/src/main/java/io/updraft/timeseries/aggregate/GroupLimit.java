package io.updraft.timeseries.aggregate;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** Counts the groups of all aggregators of a budget. Any thread. */
abstract sealed class GroupLimit {

    final long most;

    private GroupLimit(long most) {
        this.most = most;
    }

    static GroupLimit of(AggregatorOptions options) {
        if (options.maxGroups() == Long.MAX_VALUE) {
            return new None();
        }
        return options.spill() == null ? new Different(options.maxGroups()) : new Parts(options.maxGroups());
    }

    /** An aggregator begins a pane. */
    void opened(long pane) {}

    /**
     * An aggregator is to have one more group in a pane that it has begun.
     *
     * @param hash of what the group is grouped by, the same in all aggregators; asked for if it matters
     * @return whether there is room for it
     */
    abstract boolean add(long pane, LongSupplier hash);

    /** So many groups have left the memory of an aggregator. */
    void left(long groups) {}

    /** An aggregator has forgotten a pane that it had begun. */
    void forgotten(long pane) {}

    abstract long count();

    final boolean isExceeded() {
        return count() > most;
    }

    /** There may be any number. */
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

    /** Of those in memory, each aggregator's for itself. One that has no room is counted all the same: it is added once others left. */
    private static final class Parts extends GroupLimit {
        private final AtomicLong count = new AtomicLong();

        private Parts(long most) {
            super(most);
        }

        @Override
        boolean add(long pane, LongSupplier hash) {
            return count.incrementAndGet() <= most;
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
     * Of different ones: a group that several aggregators have a part of counts once. Groups are known by their hash, of 64 bits, and go
     * with their pane, when the last aggregator has forgotten that.
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
                if (count < most) {
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
