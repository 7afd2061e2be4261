package io.updraft.transport;

/**
 * A limit of time for what only shows when the owner polls. A process that was stopped for longer than the limit finds the
 * answer when it goes on, but not at its first poll: so the time between two checks counts for a part of the limit at most.
 * Owner only.
 */
public final class PolledTimeout {

    /** Between two checks passes this part of the limit at most. */
    private static final int PARTS = 4;

    private final long mostBetween;
    private long left;
    private long checkedAt;

    /**
     * Begins to count.
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
     * Counts the time since the last check; to be called after having looked for the answer, in each poll.
     *
     * @param now the time, by the clock of {@link System#nanoTime}
     * @return whether the limit is passed
     */
    public boolean check(long now) {
        left -= Math.min(now - checkedAt, mostBetween);
        checkedAt = now;
        return left < 0;
    }

    /** {@return when to check again at the latest, by the clock of System.nanoTime, so that all time counts} */
    public long nextCheck() {
        return checkedAt + Math.min(left, mostBetween);
    }
}
