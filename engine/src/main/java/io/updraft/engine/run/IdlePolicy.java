package io.updraft.engine.run;

import io.updraft.engine.plan.EngineSettings.Idle;

/**
 * Decides whether a loop without work spins or sleeps, and for how long.
 *
 * <p>A loop that waits only for other loops is woken by them. A loop that has to poll its spouts is not, so its sleep delays
 * messages. Spinning delays nothing, but uses a whole core. {@link Idle#BALANCED} measures which one is right: after each sleep
 * it compares how long the loop slept with how long it then took to finish what had arrived meanwhile. While sleeps are long
 * and the work after them is short, the loop sleeps as soon as it has no work. Otherwise it spins for a while first, and tries a
 * sleep only now and then.
 *
 * <pre>
 *   work    ███          ██          ███
 *   sleep      ──250 us──  ──250 us──      the work takes less time than the sleep: sleep again
 * </pre>
 *
 * <p>Belongs to the thread that drives the loop.
 */
final class IdlePolicy {

    /** Shortest sleep of a loop that polls spouts, nanoseconds. With the timer's own delay, messages wait for some 300 us at most. */
    static final long POLL_NAP = 250_000;

    /** Idle rounds that spin before the loop yields and then sleeps; some ten microseconds. */
    private static final int SPINS = 100;

    private static final int YIELDS = 5;

    /** A loop that polls spouts sleeps for at most this part of the time since it last had work. */
    private static final int PART_OF_PAUSE = 16;

    /** Shortest sleep of a loop that polls spouts and saves CPU time, nanoseconds. */
    private static final long SAVING_POLL_NAP = 1_000_000;

    private static final long LONGEST_POLL_NAP = 20_000_000;
    private static final long LONGEST_NAP = 100_000_000;

    /** A sleep shorter than this is not worth the time that the waker needs and the delay of waking up. */
    private static final long WORTHWHILE = 100_000;

    /** Time between two sleeps that are tried although the loop usually finds work at once. */
    private static final long TRY_EVERY = 20_000_000;

    /** What to do after a round without work. */
    enum Step {
        SPIN,
        YIELD,
        SLEEP
    }

    /** Whether the loop sleeps when that pays. */
    private final boolean balanced;
    /** Whether the loop never spins. */
    private final boolean saving;

    private int idleRounds;
    private long idleSince;

    /** Whether sleeps have been longer than the work that they left. */
    private boolean sleepsPay;

    /** Whether the time of the work after the last sleep is not known yet. */
    private boolean measuring;

    private long slept;
    private long wokeAt;
    private long nextTry;

    /**
     * Creates the policy of one loop.
     *
     * @param idle what to prefer
     * @param now the time, nanoseconds
     */
    IdlePolicy(Idle idle, long now) {
        this.balanced = idle == Idle.BALANCED;
        this.saving = idle == Idle.SAVING;
        this.nextTry = now + TRY_EVERY;
    }

    /** Takes note of a round with work. */
    void busy() {
        idleRounds = 0;
    }

    /**
     * Decides what to do after a round without work.
     *
     * @param now the time, nanoseconds
     */
    Step next(long now) {
        if (idleRounds == 0) {
            idleSince = now;
        }
        idleRounds++;
        if (measuring) {
            measuring = false;
            sleepsPay = balanced && slept >= WORTHWHILE && now - wokeAt <= slept;
        }
        if (saving || sleepsPay || idleRounds >= SPINS + YIELDS || balanced && now - nextTry >= 0) {
            return Step.SLEEP;
        }
        return idleRounds < SPINS ? Step.SPIN : Step.YIELD;
    }

    /**
     * Returns how long to sleep.
     *
     * @param now the time of the last call of {@link #next}, nanoseconds
     * @param mustPoll whether there may be work for which nobody wakes the loop
     * @param untilTick the time until the next tick tuple is due, nanoseconds
     * @return nanoseconds, at least 1
     */
    long nap(long now, boolean mustPoll, long untilTick) {
        return mustPoll
                ? Math.max(
                        saving ? SAVING_POLL_NAP : POLL_NAP,
                        Math.min(LONGEST_POLL_NAP, (now - idleSince) / PART_OF_PAUSE))
                : Math.max(1, Math.min(LONGEST_NAP, untilTick));
    }

    /**
     * Takes note of a sleep.
     *
     * @param from when it began, nanoseconds
     * @param to when it ended, nanoseconds
     */
    void slept(long from, long to) {
        slept = to - from;
        wokeAt = to;
        measuring = true;
        nextTry = to + TRY_EVERY;
    }
}
