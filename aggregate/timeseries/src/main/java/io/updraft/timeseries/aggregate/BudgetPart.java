package io.updraft.timeseries.aggregate;

import io.updraft.timeseries.query.Query;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The share of one thread in a {@link GroupBudget}: all aggregators of the thread. When the budget is exceeded, the thread that
 * notices it evicts groups of its own, from its largest aggregators first. It cannot evict groups of other threads, so a share
 * that holds little waits for the others. Each checks the budget when it needs more memory, and in {@link #relieve}. One thread
 * only.
 */
public final class BudgetPart {

    /**
     * A share with less than an even share divided by this number evicts nothing. Otherwise it would evict each new group
     * alone.
     */
    private static final int EVICTING_FRACTION = 4;

    private final GroupBudget budget;
    private final List<Aggregator> aggregators = new ArrayList<>();
    private long bytes;
    private int made;

    /** The spilled groups of all aggregators; null if none has evicted groups. */
    private SpillStore spill;

    private int spilling;
    /** The bytes of spilled groups that the budget knows of. */
    private long spilledBytes;

    BudgetPart(GroupBudget budget) {
        this.budget = budget;
    }

    /** Creates an aggregator. Closing it returns what it takes from the budget. */
    public Aggregator aggregator(Query query) {
        Aggregator next = new Aggregator(query, this, made++);
        aggregators.add(next);
        return next;
    }

    /**
     * Evicts groups if all shares together exceed the budget and this share holds its part. To be called regularly, for example
     * once a second.
     */
    public void relieve() {
        if (!canEvict()) {
            return;
        }
        aggregators.forEach(Aggregator::measure);
        if (budget.isExceeded()) {
            evict();
        }
        measureSpill();
    }

    private void measureSpill() {
        long now = spill == null ? 0 : spill.bytes();
        budget.spilled.addAndGet(now - spilledBytes);
        spilledBytes = now;
    }

    GroupBudget budget() {
        return budget;
    }

    boolean canEvict() {
        return budget.options.spill() != null;
    }

    void take(long more) {
        bytes += more;
        budget.bytes.addAndGet(more);
    }

    /** Returns the storage for spilled groups. The aggregator uses it until it calls {@link #closeSpill}. */
    SpillStore openSpill() {
        if (spill == null) {
            spill = SpillStore.into(budget.options.spill());
        }
        spilling++;
        return spill;
    }

    void closeSpill() {
        if (--spilling == 0) {
            spill.close();
            spill = null;
            measureSpill();
        }
    }

    void closed(Aggregator aggregator) {
        aggregators.remove(aggregator);
    }

    /** Evicts the groups of the largest aggregators, until half of this share's groups are gone. */
    void evict() {
        long groups = aggregators.stream().mapToLong(Aggregator::groups).sum();
        if (!hasMuch(bytes, budget.options.maxBytes()) && !hasMuch(groups, budget.options.maxGroups())) {
            return;
        }
        List<Aggregator> largest = new ArrayList<>(aggregators);
        largest.sort(Comparator.comparingLong(Aggregator::groups).reversed());
        long left = groups;
        for (Aggregator each : largest) {
            if (2 * left <= groups) {
                return;
            }
            left -= each.groups();
            each.evict();
        }
    }

    private boolean hasMuch(long bytes, long limit) {
        return bytes > limit / budget.shares.get() / EVICTING_FRACTION;
    }
}
