package io.updraft.timeseries.aggregate;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What one thread takes of a {@link Budget}: all its aggregators. When the budget is exceeded, the thread that finds it out evicts
 * groups of its own, those of its largest aggregators first. The memory of others is theirs, so a share that has little waits for
 * them: each looks when it wants more, and in {@link #relieve}. One thread only.
 */
public final class Share {

    /** Of an even share: who has less than this part of it evicts nothing, or its every new group would be evicted alone. */
    private static final int LITTLE = 4;

    private final Budget budget;
    private final List<TableAggregator> aggregators = new ArrayList<>();
    private long bytes;
    private int made;

    /** Of all aggregators that have evicted groups; null if none has. */
    private Spill spill;

    private int spilling;

    Share(Budget budget) {
        this.budget = budget;
    }

    /** Makes an aggregator; what it takes is given back when it is closed. */
    public Aggregator aggregator(Query query) {
        TableAggregator next = new TableAggregator(query, this, made++);
        aggregators.add(next);
        return next;
    }

    /** To be called now and then, as once a second: evicts groups if all shares together take too much, and this one its part. */
    public void relieve() {
        if (!canEvict()) {
            return;
        }
        aggregators.forEach(TableAggregator::measure);
        if (budget.isExceeded()) {
            evict();
        }
    }

    Budget budget() {
        return budget;
    }

    boolean canEvict() {
        return budget.options.spill() != null;
    }

    /** One of the aggregators takes so many bytes more than it did. */
    void take(long more) {
        bytes += more;
        budget.bytes.addAndGet(more);
    }

    /** Where an aggregator can put groups, until it says that it needs it no longer. */
    Spill openSpill() {
        if (spill == null) {
            spill = Spill.into(budget.options.spill());
        }
        spilling++;
        return spill;
    }

    void closeSpill() {
        if (--spilling == 0) {
            spill.close();
            spill = null;
        }
    }

    void closed(TableAggregator aggregator) {
        aggregators.remove(aggregator);
    }

    /** Evicts the groups of the largest aggregators, until half of this share's are gone. */
    void evict() {
        long groups = aggregators.stream().mapToLong(Aggregator::groups).sum();
        if (!hasMuch(bytes, budget.options.maxBytes()) && !hasMuch(groups, budget.options.maxGroups())) {
            return;
        }
        List<TableAggregator> largest = new ArrayList<>(aggregators);
        largest.sort(Comparator.comparingLong(Aggregator::groups).reversed());
        long left = groups;
        for (TableAggregator each : largest) {
            if (2 * left <= groups) {
                return;
            }
            left -= each.groups();
            each.evict();
        }
    }

    private boolean hasMuch(long of, long limit) {
        return of > limit / budget.shares.get() / LITTLE;
    }
}
