package io.updraft.transport;

/**
 * A timeout for events that the owner notices only when it polls. A process that was suspended for longer than the limit finds
 * the answer when it resumes, but not at its first poll. So the time between two checks counts only up to a fraction of the
 * limit. Owner only.
 */
public final class PolledTimeout {

    /** The time between two checks counts for at most the limit divided by this number. */
    private static final int PARTS = 4;

    private final long mostBetween;
    private long left;
    private long checkedAt;

    /**
     * Starts the timeout.
     *
     * @param limitNanos how long to wait, nanoseconds
     * @param now the time, by the clock of {@link System#nanoTime}
     */
    public PolledTimeout(long limitNanos, long now) {
        left = limitNanos;
        mostBetween = Math.max(1, limitNanos / PARTS);
        checkedAt = now;
    }

    /**
     * Counts the time since the last check. Call this in each poll, after looking for the answer.
     *
     * @param now the time, by the clock of {@link System#nanoTime}
     * @return whether the limit has passed
     */
    public boolean check(long now) {
        left -= Math.min(now - checkedAt, mostBetween);
        checkedAt = now;
        return left < 0;
    }

    /** {@return the latest time of the next check at which all elapsed time still counts, by the clock of System.nanoTime} */
    public long nextCheck() {
        return checkedAt + Math.min(left, mostBetween);
    }
}
