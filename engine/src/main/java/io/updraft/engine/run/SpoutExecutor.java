package io.updraft.engine.run;

import io.updraft.base.conf.ConfReader;
import io.updraft.engine.plan.ExecutorPlan;
import io.updraft.engine.run.SpoutOutput.SpoutTaskOwner;
import io.updraft.engine.snapshot.DeadLetter;
import io.updraft.engine.snapshot.ErrorReport;
import io.updraft.engine.tuple.SpoutTrees;
import io.updraft.engine.tuple.TreeTags;
import java.util.List;
import java.util.Queue;
import java.util.function.Consumer;
import org.apache.storm.Config;
import org.apache.storm.spout.CheckpointSpout;
import org.apache.storm.spout.ISpout;

/**
 * Runs the tasks of one executor of a spout and tracks the tuple trees of their messages. {@code nextTuple}, {@code ack}
 * and {@code fail} are called on the same thread, as in Storm.
 */
final class SpoutExecutor extends Executor {

    private final SpoutTask[] tasks;

    /** The task if there is only one, else null. */
    private SpoutTask sole;

    private final SpoutTrees trees;
    private final SpoutResults results;
    private final SpoutOutput output;
    private final Queue<SpoutOutput.WaitingEmit> outsideEmits;
    private final int maxPending;

    /** Calls of nextTuple between two checks for the end of the turn. */
    private final int callsAtOnce;

    private final boolean checkpoints;

    /** Whether a task has been activated, so that a call of nextTuple may follow. */
    private boolean activated;

    /** Whether some tasks may be activated and others not. */
    private boolean uneven;

    private int nextTask;

    /** The task that was called last, if there are several. */
    private SpoutTask called;

    private long now;
    private boolean loopIsClear = true;

    public SpoutExecutor(
            TopologyServices shared, ExecutorPlan plan, ExecutorRuntime runtime, Consumer<ErrorReport> onDeath) {
        super(shared, plan, runtime, onDeath);
        tasks = new SpoutTask[plan.taskIds().length];
        checkpoints = component.id().equals(CheckpointSpout.CHECKPOINT_COMPONENT_ID);
        int pending = new ConfReader(component.conf()).integer(Config.TOPOLOGY_MAX_SPOUT_PENDING, 0, 0);
        maxPending =
                pending == 0 ? Integer.MAX_VALUE : (int) Math.min(Integer.MAX_VALUE, (long) pending * tasks.length);
        // With a limit of pending messages, the limit is checked before each call.
        callsAtOnce = tasks.length == 1 && pending == 0 ? CALLS_AT_ONCE : 1;
        TreeTags tags = TreeTags.of(tasks.length, outputs.areTreesByStream());
        results = new SpoutResults(this, tasks, tags);
        boolean givesUp = shared.settings().maxReplays() > 0;
        long timeoutNanos = shared.settings().timeouts() ? shared.settings().timeoutNanos() : 0;
        trees = new SpoutTrees(
                plan.index(),
                givesUp,
                shared.firstRoot(),
                timeoutNanos,
                tags,
                emits.edges(),
                shared.origins(),
                results);
        boolean tagged = tasks.length > 1 || tags.byStream() || givesUp;
        output = SpoutOutput.of(emits, trees, tags, givesUp, tagged, maxPending);
        outsideEmits = output.waiting();
        for (int i = 0; i < tasks.length; i++) {
            SpoutTaskOwner owner = new SpoutTaskOwner(plan.taskIds()[i], output, i);
            tasks[i] = new SpoutTask(owner, shared.settings().maxReplays());
        }
        setTasks();
    }

    private void setTasks() {
        sole = tasks.length == 1 ? tasks[0] : null;
        results.begin();
    }

    /** Notes which of several tasks is called now. */
    void called(SpoutTask task) {
        called = task;
    }

    /** Returns the tuple trees. The loop counts acks here between turns. */
    public SpoutTrees trees() {
        return trees;
    }

    public SpoutOutput output() {
        return output;
    }

    public LatencyRecorder completeLatency() {
        return results.completeLatency();
    }

    /** Sets whether the loop has room for the tuples of the next turn. Called by the loop before the turn. */
    public void setLoopClear(boolean clear) {
        loopIsClear = clear;
    }

    @Override
    public boolean isPolled() {
        return trees.hasComplete()
                || shared.lifecycle().isActive()
                || activated
                || trees.inFlight() > 0
                || !outsideEmits.isEmpty()
                || actions.isPlaced();
    }

    @Override
    int run(long turnStart) {
        now = turnStart;
        trees.beginTurn(turnStart);
        int reports = trees.take(input.batch());
        int complete = trees.reportComplete();
        budget.countCalls(complete);
        int done = reports + complete + trees.failInvalidated() + trees.expire() + (maySendOn() ? emitForOthers() : 0);
        return done
                + switch (hold()) {
                    case INACTIVE -> activate(false);
                    case UNOPENED -> open();
                    case NONE, PENDING_LIMIT, OUTPUT_LIMIT, TURN_OVER -> activate(true) + replay() + poll();
                    case LOOP_IS_FULL, BACK_OFF, REBALANCING, DOWNSTREAM -> 0;
                };
    }

    private int open() {
        int opened = openAll();
        tasksChanged();
        return opened;
    }

    /** Called when instances were opened, or when tasks came from other executors. */
    private void tasksChanged() {
        uneven = true;
        for (SpoutTask task : tasks) {
            activated |= task.active;
        }
    }

    /** Calls activate or deactivate of the spouts that are not in the wanted state. */
    private int activate(boolean active) {
        if (activated == active && !uneven) {
            return 0;
        }
        activated = active;
        uneven = false;
        if (active && !checkpoints) {
            counters.putRelease(ExecutorCounter.ASKED, 1);
        }
        for (SpoutTask task : tasks) {
            if (task.spout != null && task.active != active) {
                activate(task, active);
            }
        }
        return 1;
    }

    /**
     * Activates or deactivates a spout. A spout whose activate threw is not deactivated; a spout whose deactivate threw is not
     * called again.
     */
    private void activate(SpoutTask task, boolean active) {
        budget.countCalls(1);
        called(task);
        try {
            if (active) {
                task.spout.activate();
                task.active = true;
            } else {
                task.active = false;
                task.spout.deactivate();
            }
        } catch (Throwable t) {
            failures.handle(task.taskId, active ? "activate" : "deactivate", t);
        }
    }

    /** Decides whether spouts may emit: all reasons against it are here. Called before each few calls of nextTuple. */
    SpoutHold hold() {
        if (!isActive()) {
            return SpoutHold.INACTIVE;
        }
        if (!hasRoom()) {
            return SpoutHold.LOOP_IS_FULL;
        }
        if (!failures.backOff().isOver(now)) {
            return SpoutHold.BACK_OFF;
        }
        if (isHeld()) {
            return SpoutHold.REBALANCING;
        }
        if (isHeldBack()) {
            return SpoutHold.DOWNSTREAM;
        }
        if (!allOpen) {
            return SpoutHold.UNOPENED;
        }
        if (isFull()) {
            return SpoutHold.PENDING_LIMIT;
        }
        if (outbox.hasEnough()) {
            return SpoutHold.OUTPUT_LIMIT;
        }
        return isOver(now) ? SpoutHold.TURN_OVER : SpoutHold.NONE;
    }

    /** Returns whether emits of user threads may be sent, by back-pressure. */
    private boolean maySendOn() {
        return hasRoom() && !outsideEmits.isEmpty() && maySend();
    }

    private boolean hasRoom() {
        return connection.isDetached() ? connection.hasRoomForOutput() : loopIsClear;
    }

    /** Emits dead letters whose replay was ordered. */
    private int replay() {
        if (!shared.kept().isWaiting()) {
            return 0;
        }
        int count = 0;
        for (SpoutTask task : tasks) {
            DeadLetter letter;
            while (hold() == SpoutHold.NONE && (letter = shared.kept().take(task.taskId)) != null) {
                results.replay(task, letter);
                count++;
            }
        }
        return count;
    }

    private int poll() {
        long before = outbox.emitted();
        int count = budget.calls();
        if (budget.isSampled()) {
            long start = shared.clock().nanoTime();
            if (callNextTuple(1) == 0) {
                return 0;
            }
            executeLatency.record(shared.clock().nanoTime() - start);
            count--;
        }
        callNextTuple(count);
        return (int) (outbox.emitted() - before);
    }

    /** Calls nextTuple up to a number of times, or until the spouts emit nothing. Returns how often they emitted. */
    private int callNextTuple(int times) {
        int count = 0;
        while (count < times && hold() == SpoutHold.NONE) {
            boolean together = callsAtOnce > 1 && !outbox.shipsEach();
            int limit = together ? Math.min(callsAtOnce, times - count) : 1;
            int emitting = together ? callSole(limit) : callEach();
            count += emitting;
            if (emitting < limit) {
                break;
            }
        }
        return count;
    }

    /**
     * Calls nextTuple of the only task up to a number of times, or until it emits nothing. Makes few checks between calls,
     * because checks add up.
     */
    private int callSole(int limit) {
        ISpout spout = sole.spout;
        Outbox out = outbox;
        int count = 0;
        try {
            long before;
            do {
                before = out.emitted();
                spout.nextTuple();
            } while (out.emitted() != before && ++count < limit && !out.shipsEach());
        } catch (Throwable t) {
            failures.handle(sole.taskId, "nextTuple", t);
        }
        budget.countCalls(count + 1);
        return count;
    }

    public boolean isFull() {
        return trees.inFlight() >= maxPending;
    }

    /**
     * Returns whether the spouts should emit. Storm's checkpoint spout continues while others are inactive: stateful bolts ack
     * with a checkpoint, so without checkpoints tuples would stay in flight until they time out.
     */
    private boolean isActive() {
        return shared.lifecycle().isActive()
                || checkpoints && shared.lifecycle().isPaused();
    }

    /**
     * Calls nextTuple of each task once. A task that is left out because the limit of pending messages is reached comes first
     * the next time.
     */
    private int callEach() {
        budget.countCalls(tasks.length);
        long before = outbox.emitted();
        SpoutTask task = tasks[nextTask];
        try {
            for (int i = 0; i < tasks.length && !isFull(); i++) {
                task = tasks[nextTask];
                called = task;
                nextTask = nextTask + 1 == tasks.length ? 0 : nextTask + 1;
                task.spout.nextTuple();
            }
        } catch (Throwable t) {
            failures.handle(task.taskId, "nextTuple", t);
        }
        return outbox.emitted() == before ? 0 : 1;
    }

    private int emitForOthers() {
        int count = 0;
        SpoutOutput.WaitingEmit next;
        while (count < budget.calls()
                && !isFull()
                && !outbox.hasEnough()
                && !isOver(now)
                && (next = outsideEmits.poll()) != null) {
            count++;
            try {
                next.emit().run();
            } catch (Throwable t) {
                // Without ackers the spout's ack is called at once, and may throw.
                failures.handle(next.task(), "ack", t);
            }
        }
        return count;
    }

    /** Keeps a message that a spout has given up. Called in a turn. */
    void addDeadLetter(int task, String stream, Object messageId, List<Object> values, int failures) {
        results.addDeadLetter(task, stream, messageId, values, failures);
    }

    @Override
    void afterLongTurn(long nanos) {
        trees.postpone(nanos);
    }

    @Override
    int taskCalled() {
        SpoutTask task = called;
        return task == null ? tasks[0].taskId : task.taskId;
    }

    @Override
    SpoutTask[] tasks() {
        return tasks;
    }

    @Override
    void releaseOwn() {
        trees.release();
    }

    @Override
    public SpoutExecutor successor(ExecutorPlan next) {
        return new SpoutExecutor(shared, next, runtime, failures.onDeath());
    }

    @Override
    public boolean isSettled() {
        return trees.inFlight() == 0;
    }

    @Override
    public void begin() {
        super.begin();
        setTasks();
        tasksChanged();
    }

    @Override
    void publishOwn() {
        counters.putRelease(ExecutorCounter.TIMED_OUT, trees.timedOut());
        counters.putRelease(ExecutorCounter.DEAD_LETTERED, results.deadLettered());
        counters.putRelease(ExecutorCounter.ASKED, activated && !checkpoints ? 1 : 0);
        // The end drops what is in flight; the numbers stay, because these messages are lost.
        if (!shared.lifecycle().isStopping()) {
            counters.putRelease(ExecutorCounter.IN_FLIGHT, trees.inFlight() + outsideEmits.size());
            counters.putRelease(ExecutorCounter.TREES, trees.inFlight());
        }
    }
}
