package io.updraft.engine.loop;

import io.updraft.engine.api.CallNotReturned;
import io.updraft.engine.api.ErrorReport;
import io.updraft.engine.api.ExitCalled;
import io.updraft.engine.api.TaskControl;
import io.updraft.engine.api.WorkerOptions;
import io.updraft.engine.mesh.Batch;
import io.updraft.engine.plan.ComponentPlan;
import io.updraft.engine.plan.ExecutorPlan;
import io.updraft.engine.tuple.EdgeIds;
import io.updraft.engine.tuple.EngineTuple;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.storm.task.TopologyContext;

/**
 * Runs the user's code of one or several tasks, a turn at a time.
 *
 * <p>During a turn an executor uses only its own state: it processes the batch that was passed to it, and puts tuples and acks
 * into its outbox. The thread that runs the executor sends the outbox after the turn. So an executor can run on its loop or on
 * a thread of its own, and the loop can be stolen during a turn that does not end.
 *
 * <p>All fields except the final and volatile ones belong to the thread that currently runs the executor.
 */
abstract class Executor {

    private static final VarHandle SHIP_AT;

    static {
        try {
            SHIP_AT = MethodHandles.lookup().findVarHandle(Executor.class, "shipAt", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Most calls of user code in one turn; their input and output should stay in the cache. */
    private static final int MAX_BUDGET = 256;

    /** Most calls in one turn if they are very cheap, to spread the cost of a turn over more calls. */
    private static final int MAX_QUICK_BUDGET = 512;

    /** Duration of a turn of very cheap calls. */
    private static final long QUICK_TURN_NANOS = 12_000;

    /** Turn numbers fit in 30 bits. */
    private static final int MOST_TURNS = 1 << 29;

    /** Calls of user code between two checks for the end of the turn. */
    static final int CALLS_AT_ONCE = 8;

    private static final int FIRST_BUDGET = 16;

    /** Intended duration of a turn, from which the budget is computed. */
    private static final long TURN_NANOS = 500_000;

    /** A call of user code that takes less time is assumed not to block. */
    private static final long QUICK_CALL_NANOS = 20_000;

    private static final int APART_BATCH = 256;

    private static final long FIRST_CALL_NANOS = 1000;

    /** A call of user code that takes longer delays the other executors of the loop. */
    private static final long SLOW_CALL_NANOS = 250_000;

    /** Tuples in the outbox at which a turn ends early. */
    static final int OUTBOX_ENOUGH = 2048;

    /** Tuples in the outbox at which it is sent in the middle of a call. */
    private static final int OUTBOX_TOO_MUCH = 16 * 1024;

    private static final int OUTSIDE_SEED = 0x5EED;

    private static final long FIRST_BACK_OFF_NANOS = 1_000_000;
    private static final long LONGEST_BACK_OFF_NANOS = 5_000_000_000L;
    /** A failure after at least this many successful calls causes no back-off. */
    private static final long FORGIVEN_AFTER_CALLS = 200;

    private static final long FORGIVEN_AFTER_NANOS = 10_000_000_000L;

    final Shared shared;
    final ExecutorPlan plan;
    final ComponentPlan component;
    final Host host;
    final Link link = new Link();
    final int index;
    final int[] downstream;
    final EdgeIds edges;

    /** Edge ids for emits of user threads, shared by all instances, because no id may occur twice. Guarded by the lock. */
    final EdgeIds outsideEdges;

    final Counters counters = new Counters();
    final Latency executeLatency = new Latency();
    final OutsideCounts outsideCounts = new OutsideCounts();
    final OutCounts outputs;
    final Detour detour = new Detour(this);

    /** Held while a user thread emits, and while the executor moves to another loop. */
    final Object outsideLock = new Object();

    private final Map<String, Object> executorData = new HashMap<>();
    final Consumer<ErrorReport> onDeath;

    /** The loop that routes for this executor. Written while all loops stand still. */
    volatile EventLoop home;

    /** Whether the executor gets no new work, because its tasks are about to move to other executors. Written by any thread. */
    volatile boolean held;

    /** The seat whose turn this is, for a turn that gives up its loop. */
    Seat seat;

    /**
     * The thread in the current turn, unless it must take the {@link Detour}. Any thread may compare itself with this field:
     * only the thread in the turn can find itself here.
     */
    Thread runner;

    /**
     * Tuples in the outbox at which it must be sent; 1 when the turn has lost its loop. Lowered by any thread.
     *
     * <p>Plain, because this field is read with every tuple, and an acquiring read would make the compiler reload all other
     * fields. A thread that reads an old value sends later: at the latest when {@link #isOver} checks, every few calls, or when
     * the turn ends and finds its loop gone.
     */
    int shipAt = OUTBOX_TOO_MUCH;

    /** The number of the current turn on the loop; see {@link TurnGuard}. */
    long turnOnLoop;

    /** Whether the executor runs on a thread of its own. */
    boolean apart;

    /**
     * Changes whenever the outbox is sent: tuples emitted under the current number are still in the outbox. Other threads use
     * it as a hint whether turns continue.
     */
    int turnNumber = 1;

    Batch outbox = new Batch();
    Batch work = new Batch();
    int position;

    /** The earliest time of the next turn, nanoseconds; 0 for at once. */
    long notBefore;

    /** Trees of consecutive roots whose only edge was acked in this turn, not yet in the outbox. */
    private int runOwner;

    private long runStart;
    private long runEnd;

    long emitted;
    long transferred;

    /** Tuples in the outbox that are already counted as transferred. */
    private int transfersCounted;

    long executed;
    long acked;
    long failed;
    private long busyNanos;
    private long errors;
    private long restarts;
    private long turns;

    private int budget = FIRST_BUDGET;
    private long callNanos;
    private long lastCallNanos;
    private int slowTurns;
    private int calls;
    private long backOff;
    private long lastErrorAt;
    private long doneAtLastError;
    private volatile boolean ended;
    private boolean ending;
    private final TurnProbe probe;

    /** How often the executor has left its loop. Each time its turns must be quick for longer before it returns. */
    int departures;

    Executor(Shared shared, ExecutorPlan plan, Host host, Consumer<ErrorReport> onDeath) {
        this.shared = shared;
        this.plan = plan;
        this.host = host;
        this.probe = host.newProbe();
        this.onDeath = onDeath;
        this.component = shared.plan().components().get(plan.componentIndex());
        this.index = plan.index();
        this.outputs = new OutCounts(this, plan.taskIds().length);
        this.downstream = shared.pressure().downstreamOf(component.index());
        this.edges = new EdgeIds(EdgeIds.seedFor(shared.edgeSeed(), plan.index()));
        this.outsideEdges = new EdgeIds(EdgeIds.seedFor(shared.edgeSeed() + OUTSIDE_SEED, plan.index()));
    }

    /** Does some work and returns the amount done. Handles exceptions of user code. */
    abstract int run(long now);

    /** Creates a new instance of a task's component and prepares it. */
    abstract void open(int task) throws Exception;

    /** Closes the instance of a task, if there is one. */
    abstract void closeInstance(int task);

    /** Drops the instance of a task without closing it. */
    abstract void abandon(int task);

    /** Returns an instance of the component, or null. May be called from any thread; the answer may be out of date. */
    abstract Object anyInstance();

    /** Wraps the instance of a task and its collector with the current wrapper of its control. */
    abstract void rewrap(int task);

    /** Returns whether a turn could do work even without input. */
    abstract boolean isPolled();

    /** Called after a turn that took long, with its duration in nanoseconds. */
    abstract void afterLongTurn(long nanos);

    /** Publishes the counters that only this kind of executor has. */
    abstract void publishOwn();

    /**
     * Gives the executor its turn.
     *
     * @param now the time, nanoseconds
     * @return the time when the turn ended, nanoseconds
     */
    final long turn(long now) {
        detour.enter();
        nextTurnNumber();
        calls = 0;
        transfersCounted = outbox.tupleCount();
        boolean suspicious = callNanos > SLOW_CALL_NANOS;
        if (suspicious) {
            probe.begin();
        }
        int done = 0;
        try {
            if (detour.isOrdered()) {
                detour.obey();
            }
            done = shared.lifecycle().isDead() ? 0 : run(now);
        } catch (Throwable t) {
            fatal(t);
        }
        reportRun();
        countTransferred();
        if (outputs.several) {
            outputs.settle();
        }
        long end = shared.clock().nanoTime();
        account(end - now, done);
        slowTurns = suspicious && probe.end(end - now, calls, SLOW_CALL_NANOS) ? slowTurns + 1 : 0;
        detour.leave();
        workDone = done;
        return end;
    }

    /** Counts the tuples sent since the turn began or the outbox was last sent. */
    private void countTransferred() {
        transferred += outbox.tupleCount() - transfersCounted;
        transfersCounted = outbox.tupleCount();
    }

    /** Returns the number of tuples sent since the start, up to this moment of the turn. */
    final long sentSoFar() {
        return transferred + Math.max(0, outbox.tupleCount() - transfersCounted);
    }

    /** Starts a new turn number, because earlier tuples may have left the outbox. */
    private void nextTurnNumber() {
        turnNumber = turnNumber == MOST_TURNS ? 1 : turnNumber + 1;
    }

    /** The amount of work of the last turn. */
    int workDone;

    private void account(long nanos, int done) {
        turns++;
        if (calls > 0) {
            long perCall = nanos / calls;
            lastCallNanos = perCall;
            // A turn in which the thread was preempted says nothing about the code, so the influence of one turn is
            // limited.
            callNanos += (Math.min(perCall, 2 * callNanos + FIRST_CALL_NANOS) - callNanos) / 4;
            chooseBudget();
        }
        if (nanos > SLOW_CALL_NANOS) {
            afterLongTurn(nanos);
        }
        if (done > 0 || nanos > SLOW_CALL_NANOS) {
            busyNanos += nanos;
            publish();
        }
    }

    private void chooseBudget() {
        long nanos = Math.max(1, callNanos);
        long quick = Math.min(MAX_QUICK_BUDGET, QUICK_TURN_NANOS / nanos);
        budget = (int) Math.max(1, Math.max(quick, Math.min(MAX_BUDGET, TURN_NANOS / nanos)));
    }

    /**
     * Takes the duration of the last turn at full value, because the watchdog saw it wait or compute. Otherwise it would take
     * dozens of long turns to learn that calls are slow, and tuples and acks would wait for the end of each turn.
     */
    final void believeLastTurn() {
        callNanos = Math.max(callNanos, lastCallNanos);
        chooseBudget();
    }

    final void publish() {
        counters.putRelease(Counter.EMITTED, emitted);
        counters.putRelease(Counter.TRANSFERRED, transferred);
        counters.putRelease(Counter.ACKED, acked);
        counters.putRelease(Counter.FAILED, failed);
        counters.putRelease(Counter.BUSY_NANOS, busyNanos);
        counters.putRelease(Counter.IN_HAND, inHand());
        counters.putRelease(Counter.CALL_NANOS, callNanos);
        publishOwn();
        counters.putRelease(Counter.EXECUTED, executed);
    }

    /**
     * Returns the usual duration of a call of user code, nanoseconds. Exact on the thread that runs the executor; may be out of
     * date on others.
     */
    final long callNanos() {
        return callNanos;
    }

    /**
     * Returns whether a turn has lasted long enough although its budget is not used up. Called after each call of user code, so
     * it reads the clock only where calls may be slow: when apart, or when the loop was lost in this turn.
     */
    final boolean isOver(long turnStart) {
        return (int) SHIP_AT.getOpaque(this) == 1 && shared.clock().nanoTime() - turnStart > TURN_NANOS;
    }

    /** Counts calls of user code, from which the budget of a turn is computed. */
    final void countCalls(int count) {
        calls += count;
    }

    final int budget() {
        return budget;
    }

    /** Returns whether the first call of this turn is timed. */
    final boolean isSampled() {
        return (turns & 3) == 0 || budget < MAX_BUDGET;
    }

    /** Returns whether calls take so long that the executor should leave its loop. */
    final boolean isSlow() {
        return slowTurns >= 3;
    }

    /** Returns whether the last turn would have delayed the other executors of a loop. */
    final boolean lastTurnWasSlow() {
        return slowTurns > 0;
    }

    /** Returns whether the executor may run now, by back-off and back-pressure. */
    final boolean mayRun(long now) {
        return (notBefore == 0 || now - notBefore >= 0) && maySend();
    }

    /** Returns whether the executor may send: no back-pressure from downstream, and not held. */
    final boolean maySend() {
        return !held && !shared.pressure().holdsBack(downstream);
    }

    final int inHand() {
        return work.tupleCount() - position;
    }

    final boolean hasNothingInHand() {
        return position == work.tupleCount() && work.reportCount() == 0;
    }

    /** Stores a batch to process and returns an empty one. */
    final Batch exchange(Batch next) {
        Batch empty = work;
        empty.clear();
        work = next;
        position = 0;
        return empty;
    }

    /** Sends a tuple. Call this only in a turn. */
    final void send(EngineTuple tuple, int task) {
        Batch out = outbox;
        out.add(tuple, task);
        if (out.tupleCount() >= shipAt) {
            shipNow();
        }
    }

    /** Sends a report to the owner of a tuple tree. Call this only in a turn. */
    final void report(int kind, int owner, long root, long value) {
        Batch out = outbox;
        out.addReport(kind, owner, root, value);
        if (shipAt == 1) {
            shipNow();
        }
    }

    /** Reports an ack of the edge derived from the root of a tree. Call this only in a turn. */
    final void reportOnlyEdge(int owner, long root) {
        if (root == runEnd && owner == runOwner) {
            runEnd = root + 1;
        } else {
            reportRun();
            runOwner = owner;
            runStart = root;
            runEnd = root + 1;
        }
        if (shipAt == 1) {
            shipNow();
        }
    }

    /**
     * Puts the collected run of such acks, if there is one, into the outbox. Called at the end of a turn and before the outbox
     * is sent.
     */
    private void reportRun() {
        if (runEnd > runStart) {
            outbox.addOnlyEdges(runOwner, runStart, runEnd - runStart);
            runStart = 0;
            runEnd = 0;
        }
    }

    /** Sends the outbox in the middle of a call of user code. */
    private void shipNow() {
        if (!apart) {
            leaveLoop();
        }
        ship();
    }

    /** Gives up the loop, unless it was already stolen. The turn continues without the loop. */
    private void leaveLoop() {
        if (home.surrender(turnOnLoop)) {
            host.carryOn(home, seat);
        }
        apart = true;
        shipAt = 1;
    }

    /** Sends the outbox to the home loop, waiting for room. Call this only when apart. */
    final void ship() {
        reportRun();
        if (outbox.isEmpty()) {
            return;
        }
        nextTurnNumber();
        countTransferred();
        transfersCounted = 0;
        counters.putRelease(Counter.EMITTED, emitted);
        counters.putRelease(Counter.TRANSFERRED, transferred);
        Batch full = outbox;
        outbox = new Batch(Math.min(full.tupleCount(), 16), Math.min(full.reportCount(), 16));
        while (!link.fromExecutor.offer(full)) {
            if (shared.lifecycle().isStopping()) {
                return;
            }
            host.pause(this);
        }
        home.ring();
    }

    /** Returns to the loop. Called by the loop, which owns the executor from now on. */
    final void rejoin() {
        apart = false;
        shipAt = OUTBOX_TOO_MUCH;
        slowTurns = 0;
    }

    /**
     * Chooses how many tuples to send at once while apart: one by one if the next call may block, batches if calls are quick.
     */
    final void chooseShipment() {
        shipAt = callNanos > QUICK_CALL_NANOS ? 1 : APART_BATCH;
    }

    /** Makes the current turn send all tuples at once, because it has lost its loop. May be called from any thread. */
    final void shipEverything() {
        SHIP_AT.setOpaque(this, 1);
    }

    /** Wakes the thread that runs the executor, the loop's or its own. May be called from any thread. */
    final void ring() {
        home.ring();
        link.executorBell.ring();
    }

    /** Creates the context of an instance of a task. */
    final TopologyContext newContext(int task, TaskControl control) {
        return shared.contexts().create(shared.plan(), component, task, executorData, control);
    }

    /** Returns a configuration for an instance: a new map, which the instance may change, as in Storm. */
    final Map<String, Object> newConf() {
        return new HashMap<>(component.conf());
    }

    /**
     * Handles an exception of user code: reports it and reacts according to {@code updraft.on.error}.
     *
     * @param task the task whose instance threw
     * @param during the method that threw
     * @param error the exception
     */
    final void failure(int task, String during, Throwable error) {
        if (shared.lifecycle().isStopping() || shared.lifecycle().isDead()) {
            return;
        }
        if (error instanceof VirtualMachineError && !(error instanceof StackOverflowError)) {
            cannotGoOn(task, during, error);
            return;
        }
        errors++;
        counters.putRelease(Counter.ERRORS, errors);
        switch (shared.settings().onError()) {
            case DIE -> die(task, during, error, "the topology ends (updraft.on.error is die)");
            case FAIL_TUPLE -> {
                shared.errors().report(component.id(), task, during, error, "the instance continues");
                backOff();
            }
            case RESTART -> {
                backOff();
                shared.errors().report(component.id(), task, during, error, "the instance is restarted" + inWhatTime());
                closeInstance(task);
                restarts++;
                counters.putRelease(Counter.RESTARTS, restarts);
                // The messages of the instance in flight are gone, even if the turn counts as one without work.
                publishOwn();
            }
        }
    }

    /** Ends the topology. First frees memory for the report: drops the instance with its data, and the reserve. */
    private void cannotGoOn(int task, String during, Throwable error) {
        shared.lifecycle().die();
        abandon(task);
        shared.errors().releaseReserve();
        die(task, during, error, "a restart of the instance would not help; " + whatEnds(error));
    }

    /** A worker process ends after these errors and is started again. */
    private String whatEnds(Throwable error) {
        boolean worker = shared.self() != WorkerOptions.ALONE
                && (error instanceof OutOfMemoryError || error instanceof ExitCalled);
        return worker ? "the worker ends" : "the topology ends";
    }

    private String inWhatTime() {
        return notBefore == 0 ? " at once" : " in " + backOff / 1_000_000 + " ms";
    }

    /**
     * Computes the pause before the next turn. The first failure causes none, nor does a failure after a quiet time or after
     * enough successful work. Each further failure doubles the pause.
     */
    private void backOff() {
        long now = shared.clock().nanoTime();
        long done = executed + emitted + acked;
        boolean forgiven = now - lastErrorAt > FORGIVEN_AFTER_NANOS || done - doneAtLastError >= FORGIVEN_AFTER_CALLS;
        doneAtLastError = done;
        if (lastErrorAt == 0 || forgiven) {
            backOff = 0;
        } else {
            backOff = Math.min(LONGEST_BACK_OFF_NANOS, Math.max(FIRST_BACK_OFF_NANOS, backOff * 2));
        }
        lastErrorAt = now;
        notBefore = backOff == 0 ? 0 : now + backOff;
    }

    /** Ends the topology after a failure outside user code, or one that cannot be handled. */
    final void fatal(Throwable error) {
        die(plan.taskIds()[0], "the engine", error, "the topology ends");
    }

    /**
     * Ends the topology after the executor's thread called {@code System.exit} in a turn. The thread never returns from that
     * call, so the turn does not end and the instances are never closed. May be called from any thread, because no other thread
     * runs this executor any more.
     */
    final void exitedInTurn(String during, Throwable error) {
        counters.putRelease(Counter.ERRORS, errors + 1);
        ended = true;
        exited(plan.taskIds().length == 1 ? plan.taskIds()[0] : ErrorReport.NO_TASK, during, error);
    }

    /** Reports that a call of the component did not return when the topology was closed. May be called from any thread. */
    final void leftBehind(Thread thread) {
        StackTraceElement[] stack = thread.getStackTrace();
        String method = ExitingThread.calledMethod(stack);
        int task = plan.taskIds().length == 1 ? plan.taskIds()[0] : ErrorReport.NO_TASK;
        shared.errors()
                .report(component.id(), task, method, new CallNotReturned(method, stack), "its thread is abandoned");
    }

    /**
     * Ends the topology after a thread that the component has started called {@code System.exit}. May be called from any
     * thread.
     */
    final void exitedOutside(String during, Throwable error) {
        exited(ErrorReport.NO_TASK, during, error);
    }

    private void exited(int task, String during, Throwable error) {
        if (!shared.lifecycle().isDead()) {
            die(task, during, error, "the thread never returns; " + whatEnds(error));
        }
    }

    private void die(int task, String during, Throwable error, String consequence) {
        shared.lifecycle().die();
        onDeath.accept(shared.errors().report(component.id(), task, during, error, consequence));
    }

    /** Closes all instances for good. */
    final void end() {
        if (ending) {
            return;
        }
        ending = true;
        detour.enter();
        for (int task : plan.taskIds()) {
            closeInstance(task);
        }
        detour.leave();
        reportRun();
        outbox.clear();
        publish();
        ended = true;
    }

    /** Takes over the state of an executor whose tasks move here, before this executor runs. */
    final void learnFrom(Executor before) {
        // Tuples that a task still holds have recorded the turn numbers of their children.
        turnNumber = Math.max(turnNumber, before.turnNumber + 1);
        callNanos = Math.max(callNanos, before.callNanos);
        executorData.putAll(before.executorData);
        chooseBudget();
    }

    /**
     * Publishes the counters for the last time and releases the working memory, while the executor does not run. The counts
     * stay; tuples under way belong to other executors from now on.
     */
    final void retire() {
        publish();
        outbox = new Batch();
        work = new Batch();
        position = 0;
        releaseOwn();
        counters.putRelease(Counter.IN_HAND, 0);
        counters.putRelease(Counter.CALL_NANOS, 0);
        counters.putRelease(Counter.ASKED, 0);
        counters.putRelease(Counter.IN_FLIGHT, 0);
        counters.putRelease(Counter.TREES, 0);
    }

    /** Releases the working memory of this kind of executor, after the last turn. */
    abstract void releaseOwn();

    /** Creates an executor of the same kind with other tasks, for a new plan of the component. */
    abstract Executor successor(ExecutorPlan next);

    /**
     * Returns whether the tasks can move to other executors: no tuple tree of theirs is in flight, and no completion is still
     * to be reported.
     */
    abstract boolean isSettled();

    /** Moves a task with its instance to another executor of the component, while neither runs. */
    abstract void handOver(int task, Executor to);

    /** Prepares the executor to run once all its tasks have been moved here. */
    abstract void begin();

    /** Moves the tuples not yet executed into a batch, while the executor does not run. */
    final void leaveWork(Batch into) {
        for (int i = position; i < work.tupleCount(); i++) {
            into.add(work.tuple(i), work.target(i));
        }
        exchange(new Batch());
    }

    /** Runs the orders without a turn, while the executor does not run. */
    final void obeyNow() {
        nextTurnNumber();
        transfersCounted = outbox.tupleCount();
        detour.enter();
        try {
            detour.obey();
        } finally {
            detour.leave();
        }
        reportRun();
        countTransferred();
        if (outputs.several) {
            outputs.settle();
        }
    }

    /** Returns whether all instances are closed for good. May be called from any thread. */
    final boolean hasEnded() {
        return ended;
    }
}
