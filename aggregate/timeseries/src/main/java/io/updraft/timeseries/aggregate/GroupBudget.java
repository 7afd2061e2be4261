package io.updraft.timeseries.aggregate;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The limits of all aggregators of a process. Each thread with aggregators has a {@link BudgetPart}. A share takes from the budget
 * as its groups are added, and returns as they are removed; nothing is reserved for a share. Any thread.
 *
 * <p>Without a directory for spilling, the limit counts groups as readers of the results see them: a group with parts in
 * several aggregators counts once. With a directory the limit protects memory, so each part counts.
 */
public final class GroupBudget {

    final AggregatorOptions options;
    final AtomicLong bytes = new AtomicLong();
    final AtomicLong spilled = new AtomicLong();
    final AtomicInteger shares = new AtomicInteger();
    final GroupLimit groups;

    /** Creates an unused budget. */
    public GroupBudget(AggregatorOptions options) {
        this.options = options;
        groups = new GroupLimit(options);
    }

    /** Creates the share of one thread. */
    public BudgetPart share() {
        shares.incrementAndGet();
        return new BudgetPart(this);
    }

    /**
     * Returns the bytes of spilled groups, as of the last call of {@link BudgetPart#relieve} of each thread: files and their
     * write buffers; -1 without a directory for spilling.
     */
    public long spilledBytes() {
        return options.spill() == null ? -1 : spilled.get();
    }

    boolean isExceeded() {
        return bytes.get() > options.maxBytes() || groups.isExceeded();
    }
}
