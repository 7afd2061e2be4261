package io.updraft.engine.run;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Takes a loop from its thread when a turn does not end, and continues the loop on another thread. The executor keeps its
 * thread.
 *
 * <p>Go's scheduler does the same with a processor whose thread is blocked in a system call. A thread that only waits for a
 * core of a busy machine keeps its loop, because another thread would have to wait as well.
 */
final class TurnWatchdog implements Runnable {

    /** Time that a turn may sleep, wait or compute before its loop is taken. */
    private static final long STUCK_NANOS = 5_000_000;

    /** Time after which a thread that is neither waiting in Java nor computing counts as blocked in a system call. */
    private static final long SURELY_STUCK_NANOS = 40_000_000;

    private static final long LOOK_NANOS = 2_500_000;

    /** After this many checks that found no loop in a turn, the watchdog checks less often. */
    private static final int QUIET_LOOKS = 40;

    private static final long QUIET_LOOK_NANOS = 20_000_000;

    private final List<Watched> watched = new CopyOnWriteArrayList<>();
    private final BooleanSupplier hasEnded;
    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final boolean cpuTimes = threads.isThreadCpuTimeSupported() && threads.isThreadCpuTimeEnabled();
    private int quiet;

    /** Watched turns, and the reaction to a turn that does not end. */
    public interface Turns {

        TurnGuard guard();

        Thread driver();

        /** Reacts to a turn that does not end. Called on the watchdog's thread. */
        void onStuck(long turn);
    }

    private static final class Watched {
        private final Turns turns;
        private long turn;
        private long since;
        private long cpuBefore;

        private Watched(Turns turns) {
            this.turns = turns;
        }
    }

    public TurnWatchdog(BooleanSupplier hasEnded) {
        this.hasEnded = hasEnded;
    }

    public void watch(Turns turns) {
        watched.add(new Watched(turns));
    }

    public void forget(Turns turns) {
        watched.removeIf(each -> each.turns == turns);
    }

    @Override
    public void run() {
        while (!hasEnded.getAsBoolean()) {
            LockSupport.parkNanos(quiet > QUIET_LOOKS ? QUIET_LOOK_NANOS : LOOK_NANOS);
            quiet++;
            long now = System.nanoTime();
            for (Watched each : watched) {
                look(each, now);
            }
        }
    }

    private void look(Watched each, long now) {
        long turn = each.turns.guard().current();
        if (turn != 0) {
            quiet = 0;
        }
        if (turn == 0 || turn != each.turn) {
            each.turn = turn;
            each.since = now;
            each.cpuBefore = turn == 0 ? 0 : cpuTime(each.turns.driver());
        } else if (now - each.since >= STUCK_NANOS && isStuck(each, now)) {
            each.turns.onStuck(turn);
            each.turn = 0;
        }
    }

    private boolean isStuck(Watched each, long now) {
        Thread thread = each.turns.driver();
        return thread == null
                || isStuck(
                        now - each.since,
                        thread.getState(),
                        cpuTime(thread) - each.cpuBefore,
                        () -> EngineThread.wantsCore(thread));
    }

    /**
     * Judges a turn that has lasted for a while.
     *
     * @param nanos the time since the turn was first seen
     * @param state the state of the thread in Java
     * @param cpuNanos the time that the thread has computed since
     * @param wantsCore asks whether the kernel has the thread on a core or in the queue for one
     */
    static boolean isStuck(long nanos, Thread.State state, long cpuNanos, BooleanSupplier wantsCore) {
        if (cpuNanos >= STUCK_NANOS / 2) {
            return true;
        }
        boolean waits = state != Thread.State.RUNNABLE || nanos >= SURELY_STUCK_NANOS;
        return waits && !wantsCore.getAsBoolean();
    }

    private long cpuTime(Thread thread) {
        return cpuTimes && thread != null ? threads.getThreadCpuTime(thread.getId()) : 0;
    }
}
