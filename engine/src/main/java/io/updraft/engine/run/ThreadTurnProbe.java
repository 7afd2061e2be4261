package io.updraft.engine.run;

import io.updraft.engine.run.TurnBudget.TurnProbe;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;

/**
 * Determines why a turn took long: whether the code computed or waited, or the thread had no core to run on. The clock cannot
 * distinguish these cases. Moving an executor to a thread of its own because the machine is busy would make the machine busier.
 *
 * <p>Costs some microseconds, so it is used only on executors whose turns look long, and on a sample of turns that may wait. Used by the thread in the turn.
 */
final class ThreadTurnProbe implements TurnProbe {

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final boolean CPU_TIMES =
            THREADS.isCurrentThreadCpuTimeSupported() && THREADS.isThreadCpuTimeEnabled();

    /** A call that takes longer than this without computing or waiting in Java was blocked in a system call. */
    private static final long NATIVE_WAIT_NANOS = 25_000_000;

    private long cpuBefore;
    private long waitsBefore;
    private long waitedNanos;

    @Override
    public void begin() {
        cpuBefore = cpuTime();
        waitsBefore = waits();
    }

    @Override
    public boolean end(long nanos, int calls, long slow) {
        long perCall = nanos / Math.max(1, calls);
        long cpu = cpuTime() - cpuBefore;
        boolean waits = waits() != waitsBefore;
        waitedNanos = CPU_TIMES && (waits || 2 * cpu < nanos && FreeCores.exist()) ? Math.max(0, nanos - cpu) : 0;
        return perCall > slow
                && (!CPU_TIMES || cpu / Math.max(1, calls) > slow || waits || perCall > NATIVE_WAIT_NANOS);
    }

    @Override
    public long waitedNanos() {
        return waitedNanos;
    }

    private static long cpuTime() {
        return CPU_TIMES ? THREADS.getCurrentThreadCpuTime() : 0;
    }

    private static long waits() {
        ThreadInfo info = THREADS.getThreadInfo(Thread.currentThread().getId(), 0);
        return info == null ? 0 : info.getWaitedCount() + info.getBlockedCount();
    }
}
