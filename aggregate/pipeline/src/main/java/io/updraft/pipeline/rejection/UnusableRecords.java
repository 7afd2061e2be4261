package io.updraft.pipeline.rejection;

import io.updraft.pipeline.counter.UsedRecords;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides whether positions behind unusable records may be committed. A wrong clock, path or format makes every record unusable;
 * a commit would then skip the input for good. So a run commits nothing before its first usable record, and nothing while all of
 * many records since the last commit are unusable. Thread-safe.
 */
public final class UnusableRecords {

    private static final Logger LOG = LoggerFactory.getLogger(UnusableRecords.class);

    /** As many unusable records in succession are taken for damaged ones, not for a mistake in the description. */
    private static final int MAX_DAMAGED = 100;

    private static final long SAY_AGAIN_MILLIS = 60_000;

    private final boolean skips;
    private UsedRecords sinceCommit = UsedRecords.NONE;
    private boolean anyUsable;
    private boolean said;
    private long saidAt;

    /** Creates the decision of a run; {@code skips} commits behind unusable records, whatever their number. */
    public UnusableRecords(boolean skips) {
        this.skips = skips;
    }

    /** Adds records that tasks have handled since the last call. */
    public synchronized void add(UsedRecords more) {
        sinceCommit = sinceCommit.plus(more);
        anyUsable |= more.usable() > 0;
        said &= more.usable() == 0;
    }

    /** Returns whether nothing may be committed now. Logs this once, and again each minute. */
    public synchronized boolean withhold(long now) {
        if (skips || sinceCommit.usable() > 0 || sinceCommit.unusable() <= (anyUsable ? MAX_DAMAGED : 0)) {
            return false;
        }
        if (!said || now - saidAt >= SAY_AGAIN_MILLIS) {
            said = true;
            saidAt = now;
            LOG.warn("{}", reason());
        }
        return true;
    }

    /** Returns why nothing is committed, in one line. */
    public synchronized String reason() {
        String since = anyUsable ? "since the last commit" : "in this run";
        return "no position is committed, since none of " + sinceCommit.unusable() + " records " + since
                + " could be used; the first: " + sinceCommit.firstUnusable()
                + " (they are read again by the next run; 'unusable: skip' commits behind them)";
    }

    /** Returns whether the run has had a usable record. */
    public synchronized boolean hadUsable() {
        return anyUsable;
    }

    /** Handles that positions were committed. */
    public synchronized void committed() {
        sinceCommit = UsedRecords.NONE;
    }
}
