package io.updraft.engine.loop;

import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs loops on threads, and watches that no turn holds up the others. */
final class Threads implements Host {

    private static final Logger LOG = LoggerFactory.getLogger(Threads.class);

    private static final long PAUSE_NANOS = 50_000;
    private static final long LAST_MILLIS = 100;
    private static final long GIVE_UP_NANOS = 1_000_000_000;

    private final Lifecycle lifecycle;
    private final ClassLoader loader = Thread.currentThread().getContextClassLoader();
    private final Watchdog watchdog = new Watchdog(() -> isAbandoned());
    private final Set<Thread> alive = ConcurrentHashMap.newKeySet();

    /** Loops that some thread drives, or is about to. Until there are none, threads may still be started. */
    private final AtomicInteger driven = new AtomicInteger();

    private List<EventLoop> loops = List.of();
    private volatile Gate gate;
    private volatile boolean abandoned;

    Threads(Lifecycle lifecycle) {
        this.lifecycle = lifecycle;
    }

    private boolean isAbandoned() {
        return abandoned;
    }

    void start(List<EventLoop> all) {
        loops = all;
        driven.set(all.size());
        all.forEach(loop -> start("updraft-loop-" + loop.index, () -> drive(loop)));
        all.forEach(watchdog::watch);
        new EngineThread(watchdog, "updraft-watchdog", loader).start();
    }

    private void start(String name, Runnable body) {
        EngineThread thread = new EngineThread(
                () -> {
                    try {
                        body.run();
                    } finally {
                        ended(Thread.currentThread());
                    }
                },
                name,
                loader);
        alive.add(thread);
        thread.start();
    }

    private void ended(Thread thread) {
        synchronized (alive) {
            alive.remove(thread);
            alive.notifyAll();
        }
    }

    /** What a thread does that owns a loop. */
    private void drive(EventLoop loop) {
        boolean lost = false;
        try {
            loop.drivenBy(Thread.currentThread());
            lost = run(loop) == EventLoop.LOST || close(loop) == EventLoop.LOST;
        } finally {
            if (!lost) {
                driven.decrementAndGet();
            }
        }
    }

    private int run(EventLoop loop) {
        while (!lifecycle.isStopping()) {
            Gate closed = gate;
            if (closed != null) {
                closed.stand();
                continue;
            }
            int work = loop.doWork();
            if (work == EventLoop.LOST) {
                return work;
            }
            if (work == 0) {
                forgetInterrupt();
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
            LOG.debug("loop {} has ended", loop.index);
        }
        return open;
    }

    /** What a thread does that runs a single executor. */
    private void drive(ApartRunner runner) {
        watchdog.watch(runner);
        while (!runner.isFinished()) {
            if (runner.doWork() == 0 && !runner.isFinished()) {
                forgetInterrupt();
                runner.idle();
            }
        }
        watchdog.forget(runner);
    }

    /** One that a component left behind: with it, the thread could not sleep. */
    private static void forgetInterrupt() {
        Thread.interrupted();
    }

    @Override
    public void carryOn(EventLoop loop, Seat turn) {
        // For whoever wants to know what hangs: see awaitEnd.
        loop.driver().setName(nameOf(turn.executor));
        start("updraft-loop-" + loop.index, () -> {
            loop.resume(turn);
            drive(loop);
        });
    }

    @Override
    public void runApart(Executor executor) {
        start(nameOf(executor), () -> drive(new ApartRunner(executor)));
    }

    @Override
    public void lost(Executor executor) {
        Thread.currentThread().setName(nameOf(executor));
        if (!executor.hasEnded()) {
            drive(new ApartRunner(executor));
        }
    }

    private static String nameOf(Executor executor) {
        return "updraft-" + executor.component.id() + "-" + executor.plan.taskIds()[0];
    }

    @Override
    public TurnProbe newProbe() {
        return new ThreadProbe();
    }

    @Override
    public void pause(Executor executor) {
        LockSupport.parkNanos(PAUSE_NANOS);
    }

    /**
     * Does something while all loops stand still. A loop in a turn that does not end is taken over by the watchdog first,
     * so this takes some milliseconds at the most.
     *
     * @param action what to do
     * @return false when the loops did not come to a stand; then nothing was done
     * @throws InterruptedException when the calling thread is interrupted
     */
    synchronized boolean whileStanding(Runnable action) throws InterruptedException {
        Gate closed = new Gate(loops.size());
        gate = closed;
        loops.forEach(EventLoop::ring);
        try {
            if (!closed.awaitAll(1000)) {
                return false;
            }
            action.run();
            return true;
        } finally {
            gate = null;
            closed.open();
        }
    }

    /**
     * Does not wait for a thread any more, which never comes back from user code. If it has a loop, that is taken from it by the
     * watchdog first.
     */
    void giveUp(Thread thread) {
        long deadline = System.nanoTime() + GIVE_UP_NANOS;
        while (loops.stream().anyMatch(loop -> loop.driver() == thread) && System.nanoTime() - deadline < 0) {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        alive.remove(thread);
    }

    /** Waits for all threads to end, then interrupts those that have not; returns what is still running after that. */
    List<Thread> awaitEnd(long millis, long graceMillis) throws InterruptedException {
        loops.forEach(EventLoop::ring);
        awaitEnd(millis);
        alive.forEach(Thread::interrupt);
        awaitEnd(graceMillis);
        abandoned = true;
        // For the loops, which have waited for those that do not return.
        awaitEnd(LAST_MILLIS);
        return alive.stream().sorted(Comparator.comparing(Thread::getName)).toList();
    }

    /** Threads start others while they end: who is alive is looked at again whenever one has ended. */
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
