package io.updraft.engine.loop;

import io.updraft.engine.mesh.Batch;

/**
 * Runs one executor whose code blocks or takes long on a thread of its own, apart from its loop. When its turns have been quick
 * for a while, the executor returns to the loop.
 *
 * <p>Used by one thread, which owns the executor during that time.
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

    /** Returns whether the executor has ended or returned to its loop. */
    boolean isFinished() {
        return finished;
    }

    /**
     * Does all pending work.
     *
     * @return the amount of work done
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
        // A spout receives only reports, and each of its turns is a call that may block. A batch left in the ring would
        // be late by one turn, and so would all later ones if each turn took only one batch.
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
        // Set before the batch is in the ring: the loop resets the flag when it takes the batch.
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
     * Ships everything that the turn has sent and keeps the executor apart for longer. No loop has to be stolen here. The
     * output of the turn must not wait for its end: after quick calls the budget is hundreds of calls, which may all be slow
     * now. If this call comes late, it marks the next turn, whose tuples are then shipped one by one.
     */
    @Override
    public void onStuck(long turn) {
        executor.shipEverything();
        stuck = true;
    }

    /** Sleeps until there is input, at most for a limited time. */
    void idle() {
        long nap = executor.isPolled() || !executor.hasNothingInHand() ? 1_000_000 : 50_000_000;
        link.executorBell.sleepUnless(() -> !link.toExecutor.isEmpty(), nap);
    }
}
