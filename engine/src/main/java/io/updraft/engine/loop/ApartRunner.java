package io.updraft.engine.loop;

import io.updraft.engine.mesh.Batch;

/**
 * Runs one executor whose code blocks or takes long, apart from its loop. When it has behaved for a while it goes back.
 *
 * <p>Used by one thread, which owns the executor for as long.
 */
final class ApartRunner implements Watchdog.Turns {

    private static final long FIRST_PROBATION_NANOS = 100_000_000;
    private static final long LONGEST_PROBATION_NANOS = 60_000_000_000L;
    private static final int MOST_DOUBLINGS = 20;

    private final Executor executor;
    private final Shared shared;
    private final Link link;
    private final long probation;

    private final TurnGuard guard = new TurnGuard();
    private volatile Thread driver;
    private volatile boolean stuck;
    private long lastSlowAt;
    private boolean finished;

    ApartRunner(Executor executor) {
        this.executor = executor;
        this.shared = executor.shared;
        this.link = executor.link;
        int doublings = Math.min(MOST_DOUBLINGS, executor.departures++);
        this.probation = Math.min(LONGEST_PROBATION_NANOS, FIRST_PROBATION_NANOS << doublings);
        this.lastSlowAt = shared.clock().nanoTime();
        executor.apart = true;
        executor.shipEverything();
    }

    /** Whether the executor has ended or gone back. */
    boolean isFinished() {
        return finished;
    }

    /**
     * Does what there is to do.
     *
     * @return how much was done
     */
    int doWork() {
        executor.ship();
        if (shared.lifecycle().isStopping()) {
            executor.end();
            finished = true;
            return 1;
        }
        long now = shared.clock().nanoTime();
        int work = takeInput();
        if (wantsTurn(now)) {
            driver = Thread.currentThread();
            long turn = guard.begin();
            executor.turn(now);
            guard.end(turn);
            work += executor.workDone;
            if (stuck) {
                stuck = false;
                executor.believeLastTurn();
                lastSlowAt = shared.clock().nanoTime();
            } else if (executor.lastTurnWasSlow()) {
                lastSlowAt = shared.clock().nanoTime();
            }
            executor.chooseShipment();
            executor.ship();
        }
        if ((executor.held || now - lastSlowAt > probation)
                && !shared.lifecycle().isStopping()) {
            goBack();
        }
        return work;
    }

    private int takeInput() {
        if (!executor.hasNothingInHand()) {
            return 0;
        }
        Batch next = link.toExecutor.poll();
        if (next == null) {
            return 0;
        }
        link.tuplesToExecutor.addAndGet(-next.tupleCount());
        executor.exchange(next);
        // To a spout come reports only, and each turn is a call that may wait: what is left now would be late by
        // that, and so would all that follows if as much comes in as each turn takes.
        while (executor.component.spout() && (next = link.toExecutor.poll()) != null) {
            executor.work.addAll(next);
        }
        executor.home.ring();
        return 1;
    }

    private boolean wantsTurn(long now) {
        if (executor.hasNothingInHand() && !executor.isPolled()) {
            return false;
        }
        return executor.component.spout() || executor.mayRun(now);
    }

    private void goBack() {
        Batch last = new Batch();
        last.markLast();
        // Before the batch is there: the loop takes this back when it takes that.
        link.isReturning = true;
        finished = link.fromExecutor.offer(last);
        if (finished) {
            executor.home.ring();
        } else {
            link.isReturning = false;
        }
    }

    @Override
    public TurnGuard guard() {
        return guard;
    }

    @Override
    public Thread driver() {
        return driver;
    }

    /**
     * No loop has to be taken, but the executor stays apart for longer, and what the turn has sent must not wait for its end:
     * after quick calls its budget is hundreds of calls, which may all be slow now. Who is late marks the next turn, whose
     * tuples then go out one by one.
     */
    @Override
    public void onStuck(long turn) {
        executor.shipEverything();
        stuck = true;
    }

    /** Sleeps until there is input, or for a while. */
    void idle() {
        long nap = executor.isPolled() || !executor.hasNothingInHand() ? 1_000_000 : 50_000_000;
        link.executorBell.sleepUnless(() -> !link.toExecutor.isEmpty(), nap);
    }
}
