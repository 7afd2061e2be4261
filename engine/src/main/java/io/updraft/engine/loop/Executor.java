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
 * <p>During a turn it touches only its own state: it works off the batch that it was handed, and what it emits and acks
 * goes into its outbox, which whoever runs it sends on after the turn. So it makes no difference whether it runs on its
 * loop or on a thread of its own, and a loop can be taken from a turn that does not end.
 *
 * <p>All fields but the final and volatile ones belong to the thread that runs the executor at the moment.
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

    /** Most calls of user code in one turn; what they emit and take is to stay in the cache. */
    private static final int MAX_BUDGET = 256;

    /** Most calls in one turn if they cost next to nothing, so that what a turn costs is spread over more of them. */
    private static final int MAX_QUICK_BUDGET = 512;

    /** Time of a turn of the quickest calls. */
    private static final long QUICK_TURN_NANOS = 12_000;

    /** Numbers of turns fit in 30 bits. */
    private static final int MOST_TURNS = 1 << 29;

    /** Calls of user code between two looks at what may end the turn. */
    static final int CALLS_AT_ONCE = 8;

    private static final int FIRST_BUDGET = 16;

    /** A turn is to end after this time; the budget follows. */
    private static final long TURN_NANOS = 500_000;

    /** A call of user code that takes less hardly blocks. */
    private static final long QUICK_CALL_NANOS = 20_000;

    private static final int APART_BATCH = 256;

    private static final long FIRST_CALL_NANOS = 1000;

    /** A call of user code that takes longer disturbs the others on the loop. */
    private static final long SLOW_CALL_NANOS = 250_000;

    /** Tuples in the outbox at which a turn ends early. */
    static final int OUTBOX_ENOUGH = 2048;

    /** Tuples in the outbox at which it is sent on in the middle of a call. */
    private static final int OUTBOX_TOO_MUCH = 16 * 1024;

    private static final int OUTSIDE_SEED = 0x5EED;

    private static final long FIRST_BACK_OFF_NANOS = 1_000_000;
    private static final long LONGEST_BACK_OFF_NANOS = 5_000_000_000L;
    /** A component that fails once in so many calls is not slowed down for it. */
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

    /** For edges that threads of the user's make, of whichever instance: an id must never come twice. Under the lock. */
    final EdgeIds outsideEdges;

    final Counters counters = new Counters();
    final Latency executeLatency = new Latency();
    final OutsideCounts outsideCounts = new OutsideCounts();
    final OutCounts outputs;
    final Detour detour = new Detour(this);

    /** Held while a thread of the user's emits, and while the executor moves to another loop. */
    final Object outsideLock = new Object();

    private final Map<String, Object> executorData = new HashMap<>();
    final Consumer<ErrorReport> onDeath;

    /** The loop that routes for this executor. Written while all loops stand still. */
    volatile EventLoop home;

    /** Whether it is to be given nothing to do, because its tasks are about to go to other executors. Written by any thread. */
    volatile boolean held;

    /** The seat whose turn this is, for a turn that gives up its loop. */
    Seat seat;

    /**
     * The thread in the current turn, unless it has to take the {@link Detour}. Any thread may compare itself with it: it can
     * only find itself if it is the one.
     */
    Thread runner;

    /**
     * Tuples in the outbox at which it has to be sent on; 1 when the turn has lost its loop. Lowered by any thread.
     *
     * <p>Plain, for it is read with every tuple, and an acquiring read would make the compiler read all else again. Who
     * reads an old value sends on later, at the latest when {@link #isOver} looks, every few calls, or when the turn ends
     * and finds its loop gone.
     */
    int shipAt = OUTBOX_TOO_MUCH;

    /** The loop's name for the current turn; see {@link TurnGuard}. */
    long turnOnLoop;

    /** Whether this runs on a thread of its own. */
    boolean apart;

    /**
     * Changes whenever the outbox is handed on: what was emitted under the same number is still in it. For others it is a hint
     * whether turns go on.
     */
    int turnNumber = 1;

    Batch outbox = new Batch();
    Batch work = new Batch();
    int position;

    /** Not to be run before this time, nanoseconds; 0 for at once. */
    long notBefore;

    /** Trees of consecutive roots whose only edge was acked in this turn, not yet in the outbox. */
    private int runOwner;

    private long runStart;
    private long runEnd;

    long emitted;
    long transferred;

    /** Tuples in the outbox that are counted as transferred already. */
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

    /** Times this has gone apart; each time it has to behave for longer before it comes back. */
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

    /** Does some work; returns how much was done. Exceptions of user code are handled within. */
    abstract int run(long now);

    /** Makes a fresh instance of a task's component and prepares it. */
    abstract void open(int task) throws Exception;

    /** Closes the instance of a task, if there is one. */
    abstract void closeInstance(int task);

    /** Lets the instance of a task go without a word. */
    abstract void abandon(int task);

    /** An instance of the component's, or null. A look from any thread. */
    abstract Object anyInstance();

    /** Wraps the instance of a task and its collector as its control says now. */
    abstract void rewrap(int task);

    /** Whether a turn could do anything, apart from what is in hand. */
    abstract boolean isPolled();

    /** Hears of a turn that took long, nanoseconds, when it has ended. */
    abstract void afterLongTurn(long nanos);

    /** Publishes the counters of the kind of component. */
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

    /** Counts what was sent since the turn began or the outbox was sent on. */
    private void countTransferred() {
        transferred += outbox.tupleCount() - transfersCounted;
        transfersCounted = outbox.tupleCount();
    }

    /** What was sent since the start, up to this moment of the turn. */
    final long sentSoFar() {
        return transferred + Math.max(0, outbox.tupleCount() - transfersCounted);
    }

    /** From now on nobody can have what was emitted before: it counts as another turn. */
    private void nextTurnNumber() {
        turnNumber = turnNumber == MOST_TURNS ? 1 : turnNumber + 1;
    }

    /** What the last turn did. */
    int workDone;

    private void account(long nanos, int done) {
        turns++;
        if (calls > 0) {
            long perCall = nanos / calls;
            lastCallNanos = perCall;
            // A turn in which the thread was preempted says nothing about the code: no turn counts for much more than
            // usual.
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
     * Takes the last turn for what it was: the watchdog saw it wait or compute. Else it would take dozens of long turns
     * to learn that calls are slow, and what they emit and ack would wait for the end of each.
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

    /** What a call of user code usually costs, nanoseconds. Exact for whoever runs this, an old answer for others. */
    final long callNanos() {
        return callNanos;
    }

    /**
     * Whether a turn has lasted long enough although its budget is not used up. It is asked after each call, so it looks at
     * the clock only where calls may be slow: apart, or when the loop was lost in this turn.
     */
    final boolean isOver(long turnStart) {
        return (int) SHIP_AT.getOpaque(this) == 1 && shared.clock().nanoTime() - turnStart > TURN_NANOS;
    }

    /** Notes calls of user code, from which the length of a turn is computed. */
    final void countCalls(int count) {
        calls += count;
    }

    final int budget() {
        return budget;
    }

    /** Whether this turn is one whose first call is timed. */
    final boolean isSampled() {
        return (turns & 3) == 0 || budget < MAX_BUDGET;
    }

    /** Whether the calls take so long that a loop should not be made to wait for them. */
    final boolean isSlow() {
        return slowTurns >= 3;
    }

    /** Whether the last turn would have disturbed the others on a loop. */
    final boolean lastTurnWasSlow() {
        return slowTurns > 0;
    }

    /** Whether it may run at all now. */
    final boolean mayRun(long now) {
        return (notBefore == 0 || now - notBefore >= 0) && maySend();
    }

    /** Whether nobody is to be spared what it would send. */
    final boolean maySend() {
        return !held && !shared.pressure().holdsBack(downstream);
    }

    final int inHand() {
        return work.tupleCount() - position;
    }

    final boolean hasNothingInHand() {
        return position == work.tupleCount() && work.reportCount() == 0;
    }

    /** Takes a batch to work off and gives back an empty one. */
    final Batch exchange(Batch next) {
        Batch empty = work;
        empty.clear();
        work = next;
        position = 0;
        return empty;
    }

    /** Sends a tuple. Only in a turn. */
    final void send(EngineTuple tuple, int task) {
        Batch out = outbox;
        out.add(tuple, task);
        if (out.tupleCount() >= shipAt) {
            shipNow();
        }
    }

    /** Reports to the owner of a tuple tree. Only in a turn. */
    final void report(int kind, int owner, long root, long value) {
        Batch out = outbox;
        out.addReport(kind, owner, root, value);
        if (shipAt == 1) {
            shipNow();
        }
    }

    /** Reports that the one edge of a tree which follows from its root was acked. Only in a turn. */
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

    /** Puts the run of only edges, if there is one, into the outbox. At the end of a turn, and before the outbox is sent. */
    private void reportRun() {
        if (runEnd > runStart) {
            outbox.addOnlyEdges(runOwner, runStart, runEnd - runStart);
            runStart = 0;
            runEnd = 0;
        }
    }

    /** Sends on the outbox in the middle of a call of user code. */
    private void shipNow() {
        if (!apart) {
            leaveLoop();
        }
        ship();
    }

    /** Notices that the loop was taken, or hands it on because this turn cannot go on within it. */
    private void leaveLoop() {
        if (home.surrender(turnOnLoop)) {
            host.carryOn(home, seat);
        }
        apart = true;
        shipAt = 1;
    }

    /** Sends the outbox to the home loop, waiting for room. Only when apart. */
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

    /** Comes back to the loop. Called by the loop, which owns the executor from now on. */
    final void rejoin() {
        apart = false;
        shipAt = OUTBOX_TOO_MUCH;
        slowTurns = 0;
    }

    /**
     * Chooses how much to send on at once while apart: every tuple by itself if the calls are such that the next may block,
     * batches if they are quick.
     */
    final void chooseShipment() {
        shipAt = callNanos > QUICK_CALL_NANOS ? 1 : APART_BATCH;
    }

    /** Makes the turn that is on send out all it emits at once, since it has lost its loop. From any thread. */
    final void shipEverything() {
        SHIP_AT.setOpaque(this, 1);
    }

    /** Wakes whoever runs this, loop or thread of its own. From any thread. */
    final void ring() {
        home.ring();
        link.executorBell.ring();
    }

    /** Makes the context of an instance of a task. */
    final TopologyContext newContext(int task, TaskControl control) {
        return shared.contexts().create(shared.plan(), component, task, executorData, control);
    }

    /** The configuration for an instance: a map of its own, which it may change, as in Storm. */
    final Map<String, Object> newConf() {
        return new HashMap<>(component.conf());
    }

    /**
     * Handles an exception of user code: reports it and does what the configuration says.
     *
     * @param task the task whose instance threw
     * @param during the method
     * @param error what it threw
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
            case DIE -> die(task, during, error, "the topology ends, as updraft.on.error says");
            case FAIL_TUPLE -> {
                shared.errors().report(component.id(), task, during, error, "the instance goes on");
                backOff();
            }
            case RESTART -> {
                backOff();
                shared.errors().report(component.id(), task, during, error, "the instance is rebuilt" + inWhatTime());
                closeInstance(task);
                restarts++;
                counters.putRelease(Counter.RESTARTS, restarts);
                // What the instance had in flight is gone, though the turn may count as one in which nothing was done.
                publishOwn();
            }
        }
    }

    /** First makes room for the report: the instance, and what it has piled up, is let go, and so is the reserve. */
    private void cannotGoOn(int task, String during, Throwable error) {
        shared.lifecycle().die();
        abandon(task);
        shared.errors().releaseReserve();
        die(task, during, error, "to rebuild the instance would not help, " + whatEnds(error));
    }

    /** Of these a worker process dies, and is started again. */
    private String whatEnds(Throwable error) {
        boolean worker = shared.self() != WorkerOptions.ALONE
                && (error instanceof OutOfMemoryError || error instanceof ExitCalled);
        return worker ? "the worker ends" : "the topology ends";
    }

    private String inWhatTime() {
        return notBefore == 0 ? " at once" : " in " + backOff / 1_000_000 + " ms";
    }

    /**
     * The first failure costs nothing, nor does one after a quiet time or after enough that went well; each further one
     * doubles the pause.
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

    /** Something that is not the user's code failed, or cannot be handled: the topology ends. */
    final void fatal(Throwable error) {
        die(plan.taskIds()[0], "the engine", error, "the topology ends");
    }

    /**
     * Its thread has asked the JVM to exit in a turn, and never comes back from it: the turn does not end, and the instances are never
     * closed. From any thread, since no other runs this any more.
     */
    final void exitedInTurn(String during, Throwable error) {
        counters.putRelease(Counter.ERRORS, errors + 1);
        ended = true;
        exited(plan.taskIds().length == 1 ? plan.taskIds()[0] : ErrorReport.NO_TASK, during, error);
    }

    /** A call of the component did not return when the topology was closed. From any thread. */
    final void leftBehind(Thread thread) {
        StackTraceElement[] stack = thread.getStackTrace();
        String method = ExitingThread.calledMethod(stack);
        int task = plan.taskIds().length == 1 ? plan.taskIds()[0] : ErrorReport.NO_TASK;
        shared.errors()
                .report(component.id(), task, method, new CallNotReturned(method, stack), "its thread is left behind");
    }

    /** A thread of the component's own has asked the JVM to exit. From any thread. */
    final void exitedOutside(String during, Throwable error) {
        exited(ErrorReport.NO_TASK, during, error);
    }

    private void exited(int task, String during, Throwable error) {
        if (!shared.lifecycle().isDead()) {
            die(task, during, error, "the thread does not come back, " + whatEnds(error));
        }
    }

    private void die(int task, String during, Throwable error, String consequence) {
        shared.lifecycle().die();
        onDeath.accept(shared.errors().report(component.id(), task, during, error, consequence));
    }

    /** Closes all instances, for good. */
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

    /** Knows what an executor knew of which it gets tasks. Before it runs. */
    final void learnFrom(Executor before) {
        // Tuples that a task still holds have noted the turns in which they got children.
        turnNumber = Math.max(turnNumber, before.turnNumber + 1);
        callNanos = Math.max(callNanos, before.callNanos);
        executorData.putAll(before.executorData);
        chooseBudget();
    }

    /**
     * Publishes for the last time: its counts stay, what is under way is others' from now on, and so what it worked with is of no
     * use any more. While it does not run.
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

    /** Lets go of what this kind of executor worked with. After the last turn. */
    abstract void releaseOwn();

    /** Makes an executor of the same kind with other tasks, for a new plan of their component. */
    abstract Executor successor(ExecutorPlan next);

    /** Whether its tasks can go to other executors: no tuple tree of theirs is in flight, and nobody is to be told of one. */
    abstract boolean isSettled();

    /** Hands a task with its instance to another executor of the component. While neither runs. */
    abstract void handOver(int task, Executor to);

    /** Is complete: all its tasks were handed over. Before it runs. */
    abstract void begin();

    /** Takes what is in hand. While it does not run. */
    final void leaveWork(Batch into) {
        for (int i = position; i < work.tupleCount(); i++) {
            into.add(work.tuple(i), work.target(i));
        }
        exchange(new Batch());
    }

    /** Does what was ordered although it gets no turn. While it does not run. */
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

    /** Whether all instances are closed for good. From any thread. */
    final boolean hasEnded() {
        return ended;
    }
}
