package io.updraft.engine.loop;

/** Decides how a loop waits after rounds without work: it spins, then yields, then sleeps until there is input. */
final class IdleStrategy {

    /** Idle rounds that spin before the loop yields and then sleeps; some ten microseconds. */
    private static final int SPINS = 100;

    private static final int YIELDS = 5;

    /** Idle rounds after which a loop counts as idle for long; about a tenth of a second. */
    private static final int LONG_IDLE = 200;

    private static final long SHORT_NAP = 1_000_000;
    private static final long LONGER_NAP = 4_000_000;
    private static final long LONGEST_NAP = 100_000_000;

    private final EventLoop loop;
    private int idleRounds;

    IdleStrategy(EventLoop loop) {
        this.loop = loop;
    }

    void busy() {
        idleRounds = 0;
    }

    void idle() {
        idleRounds++;
        if (idleRounds < SPINS) {
            Thread.onSpinWait();
        } else if (idleRounds < SPINS + YIELDS) {
            Thread.yield();
        } else {
            loop.bell().sleepUnless(loop::hasArrivals, nap());
        }
    }

    private long nap() {
        if (loop.mustPoll()) {
            return idleRounds < LONG_IDLE ? SHORT_NAP : LONGER_NAP;
        }
        return Math.max(1, Math.min(LONGEST_NAP, loop.untilTick()));
    }
}
