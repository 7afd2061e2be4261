package io.updraft.testing.contract;

import io.updraft.testing.contract.Violation.Rule;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Finds threads that a component leaves running. Threads that other tests start at the same time are counted too. */
final class ThreadLeakCheck {
    private static final long MAX_WAIT_NANOS = Duration.ofSeconds(2).toNanos();

    private final Set<Thread> before = alive();

    private static Set<Thread> alive() {
        return new HashSet<>(Thread.getAllStackTraces().keySet());
    }

    void end(ViolationCollector findings) {
        long limit = System.nanoTime() + (findings.has(Rule.LEAVES_NO_THREADS) ? 0 : MAX_WAIT_NANOS);
        Set<Thread> left = left();
        while (!left.isEmpty() && System.nanoTime() - limit < 0) {
            for (Thread thread : left) {
                join(thread);
            }
            left = left();
        }
        if (!left.isEmpty()) {
            findings.add(
                    Rule.LEAVES_NO_THREADS,
                    "these threads still run after the end: "
                            + left.stream().map(Thread::getName).sorted().collect(Collectors.joining(", ")));
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join(TimeUnit.MILLISECONDS.toMillis(10));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for threads", e);
        }
    }

    private Set<Thread> left() {
        Set<Thread> left = alive();
        left.removeAll(before);
        left.removeIf(thread -> thread.getName().equals("contract")
                || thread.getThreadGroup() == null
                || thread.getThreadGroup().getName().equals("system")
                || thread.getName().startsWith("ForkJoinPool")
                || thread.getName().startsWith("CompletableFutureDelayScheduler"));
        return left;
    }
}
