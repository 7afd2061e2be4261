package io.updraft.pipeline.run;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides whether positions behind unusable records may be committed. A wrong clock, path or format makes every record unusable;
 * a commit would then skip the input for good. So positions are held before a run's first usable record, and once many records
 * in succession are unusable, until a usable one comes. Thread-safe.
 */
final class UnusableRecords {

    /** As many unusable records in succession are taken for damaged ones, not for a mistake in the description. */
    public static final int MAX_DAMAGED = 100;

    private static final Logger LOG = LoggerFactory.getLogger(UnusableRecords.class);

    private static final long SAY_AGAIN_MILLIS = 60_000;

    private final boolean skips;
    private final int maxDamaged;

    /** The unusable records since the last usable one. */
    private Counts unusable = Counts.NONE;

    private boolean anyUsable;
    private boolean warned;
    private long nextSaid = Long.MIN_VALUE;

    /**
     * Creates the decision of a run.
     *
     * @param skips whether positions are committed behind unusable records, whatever their number
     * @param maxDamaged behind how many unusable records positions are committed, once a record was usable
     */
    public UnusableRecords(boolean skips, int maxDamaged) {
        this.skips = skips;
        this.maxDamaged = maxDamaged;
    }

    /** Adds records that a task has handled since its last call. */
    public synchronized void add(Counts more) {
        if (more.usable() > 0) {
            unusable = Counts.NONE;
            anyUsable = true;
            warned = false;
        } else {
            unusable = unusable.plus(more);
        }
    }

    /** Returns whether the positions of records that were added last may not be committed. */
    public synchronized boolean holdsPositions() {
        return !skips && unusable.unusable() > (anyUsable ? maxDamaged : 0);
    }

    /** Logs why positions are held, if they are: at most once a minute, and at the latest when the run ends. */
    public synchronized void warn(long now, boolean ended) {
        if (holdsPositions() && (now >= nextSaid || ended && !warned)) {
            warned = true;
            nextSaid = now + SAY_AGAIN_MILLIS;
            LOG.warn("{}", reason());
        }
    }

    private String reason() {
        String place = anyUsable ? "after the last usable one" : "in this run";
        return "no position is committed behind unusable records: none of " + unusable.unusable() + " records " + place
                + " could be used; the first: " + unusable.firstUnusable()
                + " (they are read again by the next run; 'unusable: skip' commits behind them)";
    }

    /**
     * How many records a task could use.
     *
     * @param usable records that gave a row with a valid time, late rows included
     * @param unusable records that gave none
     * @param firstUnusable the place of the first unusable record, and the reason; null if there is none
     */
    record Counts(long usable, long unusable, String firstUnusable) {

        /** No records. */
        public static final Counts NONE = new Counts(0, 0, null);

        /** Returns the sum of these records and later ones. */
        public Counts plus(Counts more) {
            return new Counts(
                    usable + more.usable,
                    unusable + more.unusable,
                    firstUnusable == null ? more.firstUnusable : firstUnusable);
        }
    }
}
