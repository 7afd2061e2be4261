package io.updraft.engine.loop;

import io.updraft.engine.mesh.Doorbell;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

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

    private final Doorbell bell;
    private final BooleanSupplier hasArrivals;
    private final BooleanSupplier mustPoll;
    private final LongSupplier untilTick;
    private int idleRounds;

    /**
     * Creates the state of a busy loop.
     *
     * @param bell wakes the loop
     * @param hasArrivals whether there is input
     * @param mustPoll whether spouts are to be polled or executors are held back, so that sleeps must be short
     * @param untilTick the time to the next tick, nanoseconds
     */
    IdleStrategy(Doorbell bell, BooleanSupplier hasArrivals, BooleanSupplier mustPoll, LongSupplier untilTick) {
        this.bell = bell;
        this.hasArrivals = hasArrivals;
        this.mustPoll = mustPoll;
        this.untilTick = untilTick;
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
            bell.sleepUnless(hasArrivals, nap());
        }
    }

    /** Returns the longest time to sleep, nanoseconds. */
    private long nap() {
        if (mustPoll.getAsBoolean()) {
            return idleRounds < LONG_IDLE ? SHORT_NAP : LONGER_NAP;
        }
        return Math.max(1, Math.min(LONGEST_NAP, untilTick.getAsLong()));
    }
}
