package io.updraft.engine.run;

import io.updraft.engine.api.TaskControl;
import io.updraft.engine.plan.ComponentPlan;
import io.updraft.engine.plan.ExecutorPlan;
import io.updraft.engine.snapshot.ErrorReport;
import java.util.Arrays;
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

    /** Calls of user code between two checks for the end of the turn. */
    static final int CALLS_AT_ONCE = 8;

    final TopologyServices shared;
    final ExecutorRuntime runtime;
    final ComponentPlan component;
    final ExecutorCounters counters = new ExecutorCounters();
    final BusyTime busyTime = new BusyTime(counters);
    final LoopConnection connection;
    final Outbox outbox;
    final TurnInput input = new TurnInput();
    final TurnBudget budget;
    final TurnThread turnThread = new TurnThread(this::runningTask);
    final EmitContext emits;
    final OutputCounts outputs;
    final LatencyRecorder executeLatency = new LatencyRecorder();
    final ExecutorFailures failures;
    final ActionQueue actions = new ActionQueue(() -> connection().requestTurn());
    private final ExecutorPlan plan;
    private final Map<String, Object> executorData = new HashMap<>();

    /** Whether the executor gets no new work, because its tasks are about to move to other executors. Written by any thread. */
    private volatile boolean held;

    /** Tuples executed by a bolt. */
    long executed;

    private int workDone;

    boolean allOpen;

    private boolean ending;
    private volatile boolean ended;

    /** Whether other executors have the tasks. Written while no loop runs. */
    private volatile boolean retired;

    Executor(TopologyServices shared, ExecutorPlan plan, ExecutorRuntime runtime, Consumer<ErrorReport> onDeath) {
        this.shared = shared;
        this.plan = plan;
        this.runtime = runtime;
        this.component = shared.plan().components().get(plan.componentIndex());
        this.connection = new LoopConnection(this, runtime, shared.lifecycle());
        this.outbox = new Outbox(counters, connection);
        this.budget = new TurnBudget(runtime.newProbe());
        this.failures = new ExecutorFailures(this, shared, onDeath);
        this.emits = EmitContext.of(shared, plan, turnThread, counters, outbox, connection);
        this.outputs = emits.outputs();
    }

    /** Does some work and returns the amount done. Handles exceptions of user code. */
    abstract int run(long now);

    /** Returns the tasks, which change only while the executor does not run. */
    abstract ExecutorTask[] tasks();

    /** Returns whether a turn could do work even without input. */
    public abstract boolean isPolled();

    /** Called after a turn that took long, with its duration in nanoseconds. */
    void afterLongTurn(long nanos) {}

    void publishOwn() {}

    /** Releases the working memory of this kind of executor, after the last turn. */
    void releaseOwn() {}

    /** Returns the open task that was probably called last. May be called from any thread; may be out of date. */
    abstract int taskCalled();

    /** Returns the task that is probably in a call of user code now. May be called from any thread; may be out of date. */
    public final int taskInCall() {
        int closed = -1;
        for (ExecutorTask task : tasks()) {
            if (!task.isOpen() && task.instance() != null) {
                return task.taskId;
            }
            closed = closed < 0 && !task.isOpen() ? task.taskId : closed;
        }
        return closed < 0 ? taskCalled() : closed;
    }

    private RunningTask runningTask() {
        return new RunningTask(component.id(), taskInCall());
    }

    /** Creates an executor of the same kind with other tasks, for a new plan of the component. */
    public abstract Executor successor(ExecutorPlan next);

    /**
     * Returns whether the tasks can move to other executors: no tuple tree of theirs is in flight, and no completion is still
     * to be reported. A bolt owns no trees, and it can ack the tuples that it holds on any executor.
     */
    public boolean isSettled() {
        return true;
    }

    final ExecutorTask task(int taskId) {
        return tasks()[taskId - plan.taskIds()[0]];
    }

    /** Opens the tasks that are not open. Counts as the work of one turn, because opening may take any time. */
    final int openAll() {
        for (ExecutorTask task : tasks()) {
            if (!task.isOpen() && !task.tryOpen(this)) {
                return 1;
            }
        }
        allOpen = true;
        return 1;
    }

    final void closeInstance(int taskId) {
        allOpen = false;
        task(taskId).close(failures);
    }

    /** Drops the instance of a task without closing it. */
    final void abandon(int taskId) {
        allOpen = false;
        task(taskId).release();
    }

    /** Returns an instance of the component, or null. May be called from any thread; the answer may be out of date. */
    public final Object anyInstance() {
        return tasks()[0].instance();
    }

    /** Returns the instance of a task, or null. May be called from any thread; the answer may be out of date. */
    public final Object instance(int taskId) {
        ExecutorTask task = task(taskId);
        return task == null ? null : task.instance();
    }

    /** Moves a task with its instance to another executor of the component, while neither runs. */
    public final void handOver(int taskId, Executor to) {
        ExecutorTask task = task(taskId);
        int index = taskId - to.plan.taskIds()[0];
        to.tasks()[index] = task;
        task.moveTo(to, index);
    }

    /** Prepares the executor to run once all its tasks have been moved here. */
    public void begin() {
        allOpen = Arrays.stream(tasks()).allMatch(ExecutorTask::isOpen);
    }

    /** Gives the executor its turn at a time. Returns the time when the turn ended. */
    public final long turn(long now) {
        turnThread.beginTurn(now);
        outbox.beginTurn();
        budget.beginTurn();
        int done = 0;
        try {
            if (actions.isPlaced()) {
                actions.runAll();
            }
            done = shared.lifecycle().isDead() ? 0 : run(now);
        } catch (Throwable t) {
            failures.fatal(t);
        }
        endOutput();
        long end = shared.clock().nanoTime();
        account(end - now, done);
        turnThread.endTurn();
        workDone = done;
        return end;
    }

    private void endOutput() {
        outbox.endTurn();
        if (outputs.isByStream()) {
            outputs.addToStream();
        }
    }

    private void account(long nanos, int done) {
        budget.endTurn(nanos);
        boolean slow = nanos > TurnBudget.SLOW_CALL_NANOS;
        if (slow) {
            afterLongTurn(nanos);
        }
        if (done > 0 || slow) {
            busyTime.addTurn(nanos, budget);
            publish();
        }
    }

    public final int workDone() {
        return workDone;
    }

    final void publish() {
        outbox.publish();
        busyTime.publish();
        publishInHand();
        counters.putRelease(ExecutorCounter.CALL_NANOS, budget.callNanos());
        publishOwn();
        counters.putRelease(ExecutorCounter.EXECUTED, executed);
    }

    /** Publishes the number of tuples taken and not executed yet. Call this only on the thread that runs the executor. */
    public final void publishInHand() {
        counters.putRelease(ExecutorCounter.IN_HAND, input.tuples());
    }

    /**
     * Returns whether a turn has lasted long enough although its budget is not used up. Called after each call of user code, so
     * it reads the clock only where calls may be slow: when detached, or when the loop was stolen in this turn.
     */
    final boolean isOver(long turnStart) {
        return outbox.shipAt() == 1 && shared.clock().nanoTime() - turnStart > TurnBudget.TURN_NANOS;
    }

    final long successes() {
        return executed + outbox.emitted() + outbox.acked();
    }

    /** Returns whether the executor may run now, by back-off and back-pressure. */
    public final boolean mayRun(long now) {
        return failures.backOff().isOver(now) && maySend();
    }

    /** Returns whether the executor may send: no back-pressure from downstream, and not held. */
    final boolean maySend() {
        return !held && !isHeldBack();
    }

    public final boolean isHeldBack() {
        return shared.pressure().holdsBack(emits.downstream());
    }

    /** Runs the actions without a turn, while the executor does not run. */
    public final void runActionsNow() {
        outbox.beginTurn();
        turnThread.beginTurn(shared.clock().nanoTime());
        try {
            actions.runAll();
        } finally {
            turnThread.endTurn();
        }
        endOutput();
    }

    public final boolean isHeld() {
        return held;
    }

    /** Sets whether the executor gets no new work. May be called from any thread. */
    public final void hold(boolean now) {
        if (held != now) {
            held = now;
            connection.ring();
        }
    }

    public final ExecutorPlan plan() {
        return plan;
    }

    public final ComponentPlan component() {
        return component;
    }

    public final ExecutorCounters counters() {
        return counters;
    }

    public final LoopConnection connection() {
        return connection;
    }

    public final Outbox outbox() {
        return outbox;
    }

    public final TurnInput input() {
        return input;
    }

    public final TurnBudget budget() {
        return budget;
    }

    public final TurnThread turnThread() {
        return turnThread;
    }

    public final ActionQueue actions() {
        return actions;
    }

    public final EmitContext emits() {
        return emits;
    }

    public final ExecutorFailures failures() {
        return failures;
    }

    public final LatencyRecorder executeLatency() {
        return executeLatency;
    }

    public final TopologyServices shared() {
        return shared;
    }

    public final TopologyContext newContext(int task, TaskControl control) {
        return shared.contexts().create(shared.plan(), component, task, executorData, control);
    }

    public final void end() {
        if (ending) {
            return;
        }
        ending = true;
        turnThread.beginTurn(shared.clock().nanoTime());
        for (int task : plan.taskIds()) {
            closeInstance(task);
        }
        turnThread.endTurn();
        outbox.drop();
        publish();
        ended = true;
    }

    /**
     * Ends the executor, because its thread called {@code System.exit} in a turn. The thread never returns from that call, so
     * the turn does not end and the instances are never closed.
     */
    public final void exitedInTurn(String during, Throwable error) {
        ended = true;
        failures.exitedInTurn(during, error);
    }

    /** Returns whether all instances are closed for good. May be called from any thread. */
    public final boolean hasEnded() {
        return ended;
    }

    /** Returns whether other executors have the tasks. May be called from any thread. */
    public final boolean isRetired() {
        return retired;
    }

    /** Takes over the state of an executor whose tasks move here, before this executor runs. */
    public final void continueAfter(Executor before) {
        outbox.continueAfter(before.outbox);
        budget.continueAfter(before.budget);
        executorData.putAll(before.executorData);
    }

    /**
     * Publishes the counters for the last time and releases the working memory, while the executor does not run. The counts
     * stay; tuples under way belong to other executors from now on.
     */
    public final void retire() {
        retired = true;
        publish();
        outbox.release();
        input.release();
        releaseOwn();
        counters.putRelease(ExecutorCounter.IN_HAND, 0);
        counters.putRelease(ExecutorCounter.CALL_NANOS, 0);
        counters.putRelease(ExecutorCounter.ASKED, 0);
        counters.putRelease(ExecutorCounter.IN_FLIGHT, 0);
        counters.putRelease(ExecutorCounter.TREES, 0);
    }
}
