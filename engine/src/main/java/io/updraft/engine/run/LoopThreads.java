package io.updraft.engine.run;

import io.updraft.engine.run.TurnBudget.TurnProbe;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs loops on threads, with a watchdog that keeps a long turn from delaying the others. */
final class LoopThreads implements LoopRuntime {

    private static final Logger LOG = LoggerFactory.getLogger(LoopThreads.class);

    private static final long PAUSE_NANOS = 50_000;
    private static final long LAST_MILLIS = 100;
    private static final long GIVE_UP_NANOS = 1_000_000_000;

    private final TopologyLifecycle lifecycle;
    private final ClassLoader loader = Thread.currentThread().getContextClassLoader();
    private final TurnWatchdog watchdog = new TurnWatchdog(() -> this.abandoned);
    private final Set<Thread> alive = ConcurrentHashMap.newKeySet();

    /** Number of loops that a thread drives or is about to drive. While there are any, threads may still be started. */
    private final AtomicInteger driven = new AtomicInteger();

    /** Told of a failure of the engine's own code, which ends a thread. */
    private final Consumer<Throwable> onFailure;

    private List<EventLoop> loops = List.of();
    private volatile PauseBarrier barrier;
    private volatile boolean abandoned;

    /** A barrier that stops all loops between two rounds, so that executors can move between loops. */
    static final class PauseBarrier {

        private final CountDownLatch arrived;
        private final Semaphore opened = new Semaphore(0);

        PauseBarrier(int loops) {
            arrived = new CountDownLatch(loops);
        }

        /** Blocks a loop until the barrier is opened. An interrupt does not end the wait. */
        void await() {
            arrived.countDown();
            opened.acquireUninterruptibly();
        }

        boolean awaitAll(long millis) throws InterruptedException {
            return arrived.await(millis, TimeUnit.MILLISECONDS);
        }

        void open() {
            opened.release(Integer.MAX_VALUE);
        }
    }

    /**
     * Creates the threads' owner.
     *
     * @param lifecycle the state of the topology
     * @param onFailure told on the thread that ends when the engine's own code has failed, so that the topology does not wait for
     *     that thread in silence
     */
    public LoopThreads(TopologyLifecycle lifecycle, Consumer<Throwable> onFailure) {
        this.lifecycle = lifecycle;
        this.onFailure = onFailure;
    }

    public void start(List<EventLoop> all) {
        loops = all;
        driven.set(all.size());
        all.forEach(loop -> start("updraft-loop-" + loop.index(), () -> drive(loop)));
        all.forEach(watchdog::watch);
        new EngineThread(() -> reportFailures(watchdog), "updraft-watchdog", loader).start();
    }

    private void start(String name, Runnable body) {
        EngineThread thread = new EngineThread(
                () -> {
                    try {
                        reportFailures(body);
                    } finally {
                        synchronized (alive) {
                            alive.remove(Thread.currentThread());
                            alive.notifyAll();
                        }
                    }
                },
                name,
                loader);
        alive.add(thread);
        thread.start();
    }

    /** Runs the body of a thread. A failure goes on to the thread's handler, which may end the process when memory is short. */
    private void reportFailures(Runnable body) {
        try {
            body.run();
        } catch (RuntimeException | Error e) {
            onFailure.accept(e);
            throw e;
        }
    }

    private void drive(EventLoop loop) {
        boolean stolen = false;
        try {
            loop.drivenBy(Thread.currentThread());
            stolen = run(loop) == EventLoop.LOST || close(loop) == EventLoop.LOST;
        } finally {
            if (!stolen) {
                driven.decrementAndGet();
            }
        }
    }

    private int run(EventLoop loop) {
        while (!lifecycle.isStopping()) {
            PauseBarrier closed = barrier;
            if (closed != null) {
                closed.await();
                continue;
            }
            int work = loop.doWork();
            if (work == EventLoop.LOST) {
                return work;
            }
            if (work == 0) {
                // A component may have left the flag set; then the thread could not sleep.
                Thread.interrupted();
                loop.idle();
            } else {
                loop.busy();
            }
        }
        return 0;
    }

    private int close(EventLoop loop) {
        int open;
        while ((open = loop.close()) > 0 && !abandoned) {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        if (open == 0) {
            LOG.debug("loop {} has ended", loop.index());
        }
        return open;
    }

    private void drive(DetachedRunner runner) {
        watchdog.watch(runner);
        while (!runner.isFinished()) {
            if (runner.doWork() == 0 && !runner.isFinished()) {
                Thread.interrupted();
                runner.idle();
            }
        }
        watchdog.forget(runner);
    }

    @Override
    public void continueLoop(EventLoop loop, ExecutorSlot turn) {
        // Names the component in the name of the blocked thread, for reports and thread dumps; see awaitEnd.
        loop.driver().setName(nameOf(turn.executor()));
        start("updraft-loop-" + loop.index(), () -> {
            loop.resume(turn);
            drive(loop);
        });
    }

    @Override
    public void runDetached(Executor executor) {
        start(nameOf(executor), () -> drive(new DetachedRunner(executor)));
    }

    @Override
    public void continueDetached(Executor executor) {
        Thread.currentThread().setName(nameOf(executor));
        if (!executor.hasEnded()) {
            drive(new DetachedRunner(executor));
        }
    }

    private static String nameOf(Executor executor) {
        return "updraft-" + executor.component().id() + "-" + executor.plan().taskIds()[0];
    }

    @Override
    public TurnProbe newProbe() {
        return new ThreadTurnProbe();
    }

    @Override
    public void pause(Executor executor) {
        LockSupport.parkNanos(PAUSE_NANOS);
    }

    /**
     * Runs an action while all loops stand still. The watchdog first moves a loop in a turn that does not end to another
     * thread, so this takes at most some milliseconds.
     *
     * @return false when the loops did not all stop in time; the action was not run then
     */
    public synchronized boolean whilePaused(Runnable action) throws InterruptedException {
        PauseBarrier closed = new PauseBarrier(loops.size());
        barrier = closed;
        loops.forEach(EventLoop::ring);
        try {
            if (!closed.awaitAll(1000)) {
                return false;
            }
            action.run();
            return true;
        } finally {
            barrier = null;
            closed.open();
        }
    }

    /**
     * Stops waiting for a thread that never returns from user code. If the thread has a loop, the watchdog first moves the loop
     * to another thread.
     */
    public void abandon(Thread thread) {
        long deadline = System.nanoTime() + GIVE_UP_NANOS;
        while (loops.stream().anyMatch(loop -> loop.driver() == thread) && System.nanoTime() - deadline < 0) {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        alive.remove(thread);
    }

    /** Waits for all threads to end, then interrupts those that have not. Returns the threads that still run after that. */
    public List<Thread> awaitEnd(long millis, long graceMillis) throws InterruptedException {
        loops.forEach(EventLoop::ring);
        awaitEnd(millis);
        alive.forEach(Thread::interrupt);
        awaitEnd(graceMillis);
        abandoned = true;
        // Lets the loops end, which have waited for executors that do not return.
        awaitEnd(LAST_MILLIS);
        return alive.stream().sorted(Comparator.comparing(Thread::getName)).toList();
    }

    /**
     * Waits until all threads have ended. Ending threads may start others, so the set is checked again whenever one has ended.
     */
    private void awaitEnd(long millis) throws InterruptedException {
        long deadline = System.nanoTime() + millis * 1_000_000;
        long left = millis;
        synchronized (alive) {
            while (left > 0 && !haveEnded()) {
                alive.wait(left);
                left = (deadline - System.nanoTime()) / 1_000_000;
            }
        }
    }

    private boolean haveEnded() {
        return alive.contains(Thread.currentThread()) ? alive.size() == 1 : alive.isEmpty() && driven.get() == 0;
    }
}
