package io.updraft.engine.run;

import io.updraft.engine.tuple.Batch;

/**
 * Runs one executor whose code blocks or takes long on a thread of its own, detached from its loop. When its turns have been quick
 * for a while, the executor returns to the loop.
 *
 * <p>Used by one thread, which owns the executor during that time.
 */
final class DetachedRunner implements TurnWatchdog.Turns {

    private static final long FIRST_PROBATION_NANOS = 100_000_000;
    private static final long LONGEST_PROBATION_NANOS = 60_000_000_000L;
    private static final int MAX_DOUBLINGS = 20;

    /**
     * Fewer turns do not show that calls are quick now: an executor that merely had no work would stop the whole loop with its
     * next call. It returns only after the longest probation.
     */
    private static final int TURNS_ON_PROBATION = 16;

    private final Executor executor;
    private final TopologyServices shared;
    private final LoopConnection link;
    private final long probation;
    private final TurnGuard guard = new TurnGuard();
    private volatile Thread driver;
    private volatile boolean stuck;
    private long lastSlowAt;
    private int turnsSince;
    private boolean finished;

    public DetachedRunner(Executor executor) {
        this.executor = executor;
        this.shared = executor.shared();
        this.link = executor.connection();
        int doublings = Math.min(MAX_DOUBLINGS, link.detach());
        this.probation = Math.min(LONGEST_PROBATION_NANOS, FIRST_PROBATION_NANOS << doublings);
        this.lastSlowAt = shared.clock().nanoTime();
    }

    public boolean isFinished() {
        return finished;
    }

    /** Does all pending work and returns the amount done. */
    public int doWork() {
        executor.outbox().ship();
        if (shared.lifecycle().isStopping()) {
            executor.end();
            finished = true;
            return 1;
        }
        long now = shared.clock().nanoTime();
        int work = takeInput();
        if ((executor.isPolled() || !executor.input().isEmpty())
                && (executor.component().spout() || executor.mayRun(now))) {
            driver = Thread.currentThread();
            long turn = guard.begin();
            executor.turn(now);
            guard.end(turn);
            work += executor.workDone();
            judge();
            link.chooseShipment();
            executor.outbox().ship();
            if (executor.workDone() > 0) {
                // The queue is shorter, which the loop has to know even if the executor has sent nothing.
                link.home().ring();
            }
        }
        long needed = turnsSince >= TURNS_ON_PROBATION ? probation : LONGEST_PROBATION_NANOS;
        if ((executor.isHeld() || now - lastSlowAt > needed)
                && !shared.lifecycle().isStopping()) {
            finished = link.offerLast();
            if (finished) {
                link.home().ring();
            }
        }
        return work;
    }

    private void judge() {
        if (stuck) {
            stuck = false;
            executor.budget().adoptLastTurn();
        } else if (!executor.budget().lastTurnWasSlow()) {
            turnsSince++;
            return;
        }
        lastSlowAt = shared.clock().nanoTime();
        turnsSince = 0;
    }

    private int takeInput() {
        Batch next = executor.input().isEmpty() ? link.pollInput() : null;
        if (next == null) {
            return 0;
        }
        executor.input().exchange(next, true);
        executor.publishInHand();
        // A spout receives only reports, and each of its turns is a call that may block. A batch left in the ring would
        // be late by one turn, and so would all later ones if each turn took only one batch.
        while (executor.component().spout() && (next = link.pollInput()) != null) {
            executor.input().batch().addAll(next);
        }
        link.home().ring();
        return 1;
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
     * Ships everything that the turn has sent and keeps the executor detached for longer. No loop has to be stolen here. The
     * output of the turn must not wait for its end: after quick calls the budget is hundreds of calls, which may all be slow
     * now. If this call comes late, it marks the next turn, whose tuples are then shipped one by one.
     */
    @Override
    public void onStuck(long turn) {
        executor.outbox().shipAt(1);
        stuck = true;
    }

    void idle() {
        long nap = executor.isPolled() || !executor.input().isEmpty() ? 1_000_000 : 50_000_000;
        link.awaitInput(nap);
    }
}
