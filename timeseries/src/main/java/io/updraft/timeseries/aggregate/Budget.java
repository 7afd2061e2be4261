package io.updraft.timeseries.aggregate;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What all aggregators of a process may hold together. Each thread that has aggregators has a {@link Share}, which takes of the
 * budget as its groups come, and gives back as they go; no part of it is set aside for anybody. Any thread.
 *
 * <p>Without a directory to spill into, groups are counted as whoever reads the results sees them: one that several aggregators
 * have a part of counts once. With a directory it is memory that is limited, so each part counts.
 */
public final class Budget {

    final AggregatorOptions options;
    final AtomicLong bytes = new AtomicLong();
    final AtomicInteger shares = new AtomicInteger();
    final GroupLimit groups;

    /** A budget of which nothing is taken. */
    public Budget(AggregatorOptions options) {
        this.options = options;
        groups = GroupLimit.of(options);
    }

    /** The part of one thread. */
    public Share share() {
        shares.incrementAndGet();
        return new Share(this);
    }

    /** Whether all take more than they may. */
    boolean isExceeded() {
        return bytes.get() > options.maxBytes() || groups.isExceeded();
    }
}
