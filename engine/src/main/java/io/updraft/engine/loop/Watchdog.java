package io.updraft.engine.loop;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Takes a loop from its thread when a turn does not end, and has it go on elsewhere; the executor keeps the thread.
 *
 * <p>It is what Go's scheduler does with a processor whose thread is blocked in a system call. A thread that merely waits
 * for a core of a busy machine is left alone: another thread would have to wait as well.
 */
final class Watchdog implements Runnable {

    /** Time that a turn may sleep or wait, or compute, before its loop is taken. */
    private static final long PATIENCE_NANOS = 5_000_000;

    /** Time after which it is taken whatever it does: blocked in a system call looks like waiting for a core. */
    private static final long LONGEST_PATIENCE_NANOS = 40_000_000;

    private static final long LOOK_NANOS = 2_500_000;

    /** After this many looks at loops of which none was in a turn, look less often. */
    private static final int QUIET_LOOKS = 40;

    private static final long QUIET_LOOK_NANOS = 10_000_000;

    private final List<Watched> watched = new CopyOnWriteArrayList<>();
    private final BooleanSupplier over;
    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final boolean cpuTimes = threads.isThreadCpuTimeSupported() && threads.isThreadCpuTimeEnabled();
    private int quiet;

    /** Turns that are watched, and what to do about one that does not end. */
    interface Turns {

        /** The guard of the turns. */
        TurnGuard guard();

        /** The thread that is in them. */
        Thread driver();

        /** Does something about a turn that does not end; on the watchdog's thread. */
        void onStuck(long turn);
    }

    /** What is known of the current turn. */
    private static final class Watched {
        private final Turns turns;
        private long turn;
        private long since;
        private long cpuBefore;

        private Watched(Turns turns) {
            this.turns = turns;
        }
    }

    Watchdog(BooleanSupplier over) {
        this.over = over;
    }

    /** Watches from now on. From any thread. */
    void watch(Turns turns) {
        watched.add(new Watched(turns));
    }

    /** Watches no more. From any thread. */
    void forget(Turns turns) {
        watched.removeIf(each -> each.turns == turns);
    }

    @Override
    public void run() {
        while (!over.getAsBoolean()) {
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
        } else if (now - each.since >= PATIENCE_NANOS && isStuck(each, now)) {
            each.turns.onStuck(turn);
            each.turn = 0;
        }
    }

    private boolean isStuck(Watched each, long now) {
        Thread thread = each.turns.driver();
        return thread == null
                || thread.getState() != Thread.State.RUNNABLE
                || now - each.since >= LONGEST_PATIENCE_NANOS
                || cpuTime(thread) - each.cpuBefore >= PATIENCE_NANOS / 2;
    }

    private long cpuTime(Thread thread) {
        return cpuTimes && thread != null ? threads.getThreadCpuTime(thread.getId()) : 0;
    }
}
