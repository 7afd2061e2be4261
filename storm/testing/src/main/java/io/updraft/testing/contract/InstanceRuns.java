package io.updraft.testing.contract;

import io.updraft.testing.contract.Violation.Rule;
import java.time.Duration;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;

/** Runs instances of the component, each on its own thread, and counts them. */
final class InstanceRuns {
    private final ViolationCollector findings;
    private final Duration limit;
    private final long seed;
    private int count;

    InstanceRuns(ViolationCollector findings, Duration limit, long seed) {
        this.findings = findings;
        this.limit = limit;
        this.seed = seed;
    }

    void run(String conditions, BiConsumer<CallGuard, Random> instance) {
        findings.during(conditions);
        count++;
        ThreadLeakCheck threads = new ThreadLeakCheck();
        try (CallGuard guarded = new CallGuard(findings, limit)) {
            instance.accept(guarded, new Random(seed));
        }
        threads.end(findings);
    }

    int count() {
        return count;
    }

    /** Finds threads that a component leaves running. Threads that other tests start at the same time are counted too. */
    private static final class ThreadLeakCheck {
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

    /** One instance of the component, from its creation to its end. */
    abstract static class InstanceRun {
        private static final long PUSH_BACK_NANOS = 200_000;

        final ComponentEnvironment stage;
        final ViolationCollector findings;
        final ValueCheck values;
        final CallGuard guarded;

        /** Whether the instance has ended, so that nothing counts any more. Guarded by this object. */
        boolean closed;

        private final boolean pushesBack;

        InstanceRun(ComponentEnvironment stage, ViolationCollector findings, CallGuard guarded, boolean pushesBack) {
            this.stage = stage;
            this.findings = findings;
            this.values = new ValueCheck(stage.conf(), findings);
            this.guarded = guarded;
            this.pushesBack = pushesBack;
        }

        void pushBack() {
            if (pushesBack) {
                LockSupport.parkNanos(PUSH_BACK_NANOS);
            }
        }

        synchronized void end() {
            closed = true;
            values.end();
        }
    }
}
