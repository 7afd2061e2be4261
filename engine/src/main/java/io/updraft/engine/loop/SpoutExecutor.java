package io.updraft.engine.loop;

import io.updraft.engine.api.ErrorReport;
import io.updraft.engine.mesh.Batch;
import io.updraft.engine.plan.Conf;
import io.updraft.engine.plan.ExecutorPlan;
import io.updraft.engine.plan.Planner;
import io.updraft.engine.tracker.TreeTracker;
import io.updraft.engine.tuple.EdgeIds;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.apache.storm.Config;
import org.apache.storm.spout.CheckpointSpout;
import org.apache.storm.spout.ISpout;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.tuple.Values;

/**
 * Runs the tasks of one executor of a spout and tracks the tuple trees of their messages. {@code nextTuple}, {@code ack}
 * and {@code fail} are called on the same thread, as in Storm.
 */
final class SpoutExecutor extends Executor {

    private static final int FIRST_TREES = 512;

    /** Number of timeout checks within one message timeout. */
    private static final int LOOKS_PER_TIMEOUT = 16;

    /** Value for no root; roots are positive. */
    private static final long NO_TREE = 0;

    private static final int COMPLETIONS_TIMED_PER_TURN = 4;

    /** Emits of user threads that may wait for a turn, unless fewer messages may be pending. */
    private static final int MOST_OUTSIDE_EMITS = 8192;

    final TreeTracker tracker;
    final Latency completeLatency = new Latency();

    /** Emits of user threads that wait for a turn. */
    final Queue<OutsideEmit> outsideEmits = new LinkedBlockingQueue<>();

    private final SpoutTask[] tasks;

    /** The task if there is only one, else null. */
    private SpoutTask sole;

    /** The task if all messages belong to one task and one stream, else null. */
    private SpoutTask told;

    /** Tags of trees have the task's index in this number of low bits, and the stream's number above them. */
    private final int taskBits;

    private final int firstTask;
    private final int maxPending;
    private final int mostOutsideEmits;
    private final long timeoutNanos;

    /** Calls of nextTuple between two checks for the end of the turn. */
    private final int callsAtOnce;

    private final boolean givesUp;

    /** Whether data other than the id must be stored with each message. */
    private final boolean noted;

    /** Completed trees to report to the spout in its next turn, as pairs of longs; see completeLater. */
    private long[] complete = new long[FIRST_TREES];

    private int completeLength;

    private int nextTask;
    private boolean allOpen;

    /** Whether this executor runs Storm's checkpoint spout. */
    private final boolean checkpoints;

    /** Whether a task has been activated. */
    private boolean informed;

    /** Whether some tasks may be activated and others not. */
    private boolean uneven;

    private long nextExpiry;
    private long timedOut;
    private long deadLettered;
    private int completionsTimed;

    /** Open trees before this root must be failed; NO_TREE if there are none. */
    private long doomedBefore = NO_TREE;

    /** The time of this turn, nanoseconds. */
    long now;

    /** Whether the loop has room for the tuples of this turn; set by the loop before the turn. */
    boolean loopIsClear = true;

    /** An emit by a user thread, for a task. */
    record OutsideEmit(SpoutTask task, Runnable emit) {}

    SpoutExecutor(Shared shared, ExecutorPlan plan, Host host, Consumer<ErrorReport> onDeath) {
        super(shared, plan, host, onDeath);
        firstTask = plan.taskIds()[0];
        checkpoints = component.id().equals(CheckpointSpout.CHECKPOINT_COMPONENT_ID);
        tasks = new SpoutTask[plan.taskIds().length];
        for (int i = 0; i < tasks.length; i++) {
            tasks[i] = new SpoutTask(this, plan.taskIds()[i], i);
        }
        sole = tasks.length == 1 ? tasks[0] : null;
        told = outputs.severalRoots ? null : sole;
        taskBits = Integer.SIZE - Integer.numberOfLeadingZeros(tasks.length - 1);
        int pending = Conf.integer(component.conf(), Config.TOPOLOGY_MAX_SPOUT_PENDING, 0, 0);
        maxPending =
                pending == 0 ? Integer.MAX_VALUE : (int) Math.min(Integer.MAX_VALUE, (long) pending * tasks.length);
        mostOutsideEmits = Math.min(MOST_OUTSIDE_EMITS, maxPending);
        // With a limit of pending messages, the limit is checked before each call.
        callsAtOnce = tasks.length == 1 && pending == 0 ? CALLS_AT_ONCE : 1;
        timeoutNanos = shared.settings().timeouts() ? shared.settings().timeoutNanos() : 0;
        givesUp = shared.settings().maxReplays() > 0;
        noted = told == null || givesUp;
        tracker = new TreeTracker(FIRST_TREES, givesUp, plan.index(), shared.firstRoot());
    }

    @Override
    boolean isPolled() {
        return hasComplete()
                || shared.lifecycle().isActive()
                || informed
                || tracker.inFlight() > 0
                || !outsideEmits.isEmpty()
                || detour.isOrdered();
    }

    @Override
    int run(long turnStart) {
        now = turnStart;
        tracker.at(turnStart);
        completionsTimed = 0;
        int done = settle() + tellComplete() + failDoomed() + expire() + (maySendOn() ? emitForOthers() : 0);
        if (!isActive()) {
            return done + inform(false);
        }
        if (mayEmit(turnStart)) {
            done += allOpen ? inform(true) + poll() : openAll();
        }
        return done;
    }

    /** Returns whether nextTuple may be called, by back-pressure and back-off. */
    private boolean mayEmit(long turnStart) {
        return (loopIsClear || apart) && mayRun(turnStart);
    }

    /** Returns whether emits of user threads may be sent, by back-pressure. */
    private boolean maySendOn() {
        return (loopIsClear || apart) && !outsideEmits.isEmpty() && maySend();
    }

    /** Returns whether user threads must wait before they emit more. May be called from any thread. */
    boolean hasManyOutsideEmits() {
        return outsideEmits.size() >= mostOutsideEmits
                && !shared.lifecycle().isStopping()
                && !shared.lifecycle().isDead();
    }

    private int poll() {
        long before = emitted;
        int count = budget();
        if (isSampled()) {
            long asked = shared.clock().nanoTime();
            if (ask(1) == 0) {
                return 0;
            }
            executeLatency.record(shared.clock().nanoTime() - asked);
            count--;
        }
        ask(count);
        return (int) (emitted - before);
    }

    /** Calls nextTuple up to a number of times, or until the spouts emit nothing. Returns how often they emitted. */
    private int ask(int times) {
        int count = 0;
        while (count < times && goesOn()) {
            boolean together = callsAtOnce > 1 && shipAt != 1;
            int most = together ? Math.min(callsAtOnce, times - count) : 1;
            int some = together ? askOnly(most) : askEach();
            count += some;
            if (some < most) {
                break;
            }
        }
        return count;
    }

    /**
     * Calls nextTuple of the only task up to a number of times, or until it emits nothing. Makes few checks between calls,
     * because checks add up.
     */
    private int askOnly(int most) {
        ISpout spout = sole.spout;
        int count = 0;
        try {
            long before;
            do {
                before = emitted;
                spout.nextTuple();
            } while (emitted != before && ++count < most && shipAt != 1);
        } catch (Throwable t) {
            failure(sole.taskId, "nextTuple", t);
        }
        countCalls(count + 1);
        return count;
    }

    private boolean goesOn() {
        return allOpen && hasRoom() && isActive();
    }

    /** Returns whether the limit of pending messages is reached. */
    boolean isFull() {
        return tracker.inFlight() >= maxPending;
    }

    private boolean hasRoom() {
        return !isFull() && outbox.tupleCount() < OUTBOX_ENOUGH && !isOver(now);
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
    private int askEach() {
        countCalls(tasks.length);
        long before = emitted;
        SpoutTask task = tasks[nextTask];
        try {
            for (int i = 0; i < tasks.length && !isFull(); i++) {
                task = tasks[nextTask];
                nextTask = nextTask + 1 == tasks.length ? 0 : nextTask + 1;
                task.spout.nextTuple();
            }
        } catch (Throwable t) {
            failure(task.taskId, "nextTuple", t);
        }
        return emitted == before ? 0 : 1;
    }

    /**
     * Counts acks. Called in a turn, or between turns by the loop that owns the executor. The spout is notified of a completed
     * tree only in its turn.
     */
    void ack(int kind, long root, long value) {
        if (kind == Batch.ACK) {
            if (tracker.ack(root, value)) {
                completeLater(root, 0);
            }
        } else {
            completeLater(root, value);
        }
    }

    /** Processes the received reports for the trees of this executor. */
    private int settle() {
        Batch in = work;
        int count = in.reportCount();
        for (int i = 0; i < count; i++) {
            settle(in.kind(i), in.root(i), in.value(i));
        }
        in.clearReports();
        return count;
    }

    private void settle(int kind, long root, long value) {
        switch (kind) {
            case Batch.FAIL -> {
                if (tracker.isOpen(root)) {
                    fail(root, "failed");
                }
            }
            case Batch.RESET_TIMEOUT -> tracker.touch(root, now);
            case Batch.FAIL_ALL -> doom();
            default -> ack(kind, root, value);
        }
    }

    /**
     * Stores a completion, of which the spout is notified after its current call.
     *
     * @param root a tree
     * @param onlyEdges 0 if the tree is complete; otherwise the number of trees from this one on whose first edge was acked
     */
    private void completeLater(long root, long onlyEdges) {
        if (completeLength == complete.length) {
            complete = Arrays.copyOf(complete, completeLength * 2);
        }
        complete[completeLength] = root;
        complete[completeLength + 1] = onlyEdges;
        completeLength += 2;
    }

    /**
     * Dooms all trees in flight, because a loss may affect any of them. From now on none of them can complete, whatever is
     * acked. In its next turn the spout is notified that they have failed. Called in a turn, or between turns by the loop that
     * owns the executor.
     */
    void doom() {
        settleRuns();
        doomedBefore = tracker.doom(edges.next());
    }

    /** Applies the stored acks to the trees, so that trees that are already complete stay complete. */
    private void settleRuns() {
        long[] noted = Arrays.copyOf(complete, completeLength);
        completeLength = 0;
        for (int i = 0; i < noted.length; i += 2) {
            long root = noted[i];
            if (root != NO_TREE && noted[i + 1] == 0) {
                completeLater(root, 0);
            } else if (root != NO_TREE) {
                ackFirstEdges(root, root + noted[i + 1]);
            }
        }
    }

    private void ackFirstEdges(long from, long to) {
        for (long root = from; root < to; root++) {
            ack(Batch.ACK, root, tracker.edgeOf(root));
        }
    }

    private int failDoomed() {
        if (doomedBefore == NO_TREE) {
            return 0;
        }
        long before = doomedBefore;
        doomedBefore = NO_TREE;
        long failedBefore = failed;
        tracker.forEachExpired(Long.MAX_VALUE / 2 + now, root -> {
            if (root < before) {
                fail(root, "lost with a worker");
            }
        });
        return (int) (failed - failedBefore);
    }

    private int tellComplete() {
        int length = completeLength;
        if (length == 0) {
            return 0;
        }
        long before = acked;
        for (int i = 0; i < length; i += 2) {
            long root = complete[i];
            // The spout may throw in this call, and then all stored completions are dropped.
            complete[i] = NO_TREE;
            if (root != NO_TREE && complete[i + 1] == 0) {
                complete(root);
            } else if (root != NO_TREE) {
                completeRun(root, root + complete[i + 1]);
            }
        }
        // Completions caused by these calls are left for the next turn.
        completeLength -= length;
        System.arraycopy(complete, length, complete, 0, completeLength);
        countCalls((int) (acked - before));
        return (int) (acked - before);
    }

    /** Completes a run of trees for which an ack of the first edge was received. */
    private void completeRun(long from, long to) {
        for (long root = from; root < to; root++) {
            Object messageId = tracker.closeIfOnlyEdge(root);
            if (messageId == null) {
                completeOther(root);
            } else {
                if (completionsTimed < COMPLETIONS_TIMED_PER_TURN) {
                    time(tracker.lastSince(root), tracker.lastTag(root));
                }
                tellComplete(told != null ? told : taskOfAcked(tracker.lastTag(root)), messageId);
            }
        }
    }

    /** Applies an ack of the first edge to a tree that has other edges or has ended. */
    private void completeOther(long root) {
        if (tracker.ack(root, tracker.edgeOf(root))) {
            complete(root);
        }
    }

    boolean hasComplete() {
        return completeLength > 0;
    }

    private void complete(long root) {
        Object messageId = tracker.messageId(root);
        int tag = tracker.tag(root);
        long since = tracker.since(root);
        tracker.close(root);
        if (completionsTimed < COMPLETIONS_TIMED_PER_TURN) {
            time(since, tag);
        }
        tellComplete(told != null ? told : taskOfAcked(tag), messageId);
    }

    private void time(long since, int tag) {
        completionsTimed++;
        long nanos = shared.clock().nanoTime() - since;
        completeLatency.record(nanos);
        outputs.completed(outputs.severalRoots ? streamOf(tag) : outputs.main, nanos);
    }

    private int streamOf(int tag) {
        return tag >>> taskBits;
    }

    private SpoutTask taskOf(int tag) {
        return tasks[tag & (1 << taskBits) - 1];
    }

    private SpoutTask taskOfAcked(int tag) {
        if (outputs.severalRoots) {
            outputs.acked(streamOf(tag));
        }
        return taskOf(tag);
    }

    private void tellComplete(SpoutTask task, Object messageId) {
        acked++;
        if (givesUp) {
            tellAcked(task, withoutReplays(task, messageId));
        } else {
            tellAcked(task, messageId);
        }
    }

    private static Object withoutReplays(SpoutTask task, Object messageId) {
        task.replays.acked(messageId);
        return messageId instanceof GivenUp givenUp ? givenUp.messageId() : messageId;
    }

    private void tellAcked(SpoutTask task, Object messageId) {
        ISpout spout = task.spout;
        if (spout == null) {
            return;
        }
        try {
            spout.ack(messageId);
        } catch (Throwable t) {
            failure(task.taskId, "ack", t);
        }
    }

    private void fail(long root, String reason) {
        Object messageId = tracker.messageId(root);
        int tag = tracker.tag(root);
        SpoutTask task = taskOf(tag);
        Message message = (Message) tracker.payload(root);
        tracker.close(root);
        failed++;
        if (outputs.severalRoots) {
            outputs.failed(streamOf(tag));
        }
        if (messageId instanceof GivenUp givenUp) {
            tellFailed(task, givenUp.messageId());
            return;
        }
        int failures = task.replays.failed(messageId);
        if (failures > 0) {
            giveUp(task, messageId, message, failures, reason);
        } else {
            tellFailed(task, messageId);
        }
    }

    private void tellFailed(SpoutTask task, Object messageId) {
        if (task.spout == null) {
            return;
        }
        countCalls(1);
        try {
            task.spout.fail(messageId);
        } catch (Throwable t) {
            failure(task.taskId, "fail", t);
        }
    }

    /**
     * Emits a message on the dead letter stream. The message is acked to the spout, so that it is not replayed, once the
     * subscribers of the dead letter stream have acked it.
     */
    private void giveUp(SpoutTask task, Object messageId, Message message, int failures, String reason) {
        deadLettered++;
        task.replays.acked(messageId);
        shared.deadLetters().add(component.id(), task.taskId, message.stream(), messageId, message.values(), failures);
        Values letter = new Values(
                component.id(), task.taskId, message.stream(), messageId, message.values(), failures, reason);
        task.collector.emit(Planner.DEAD_LETTER_STREAM, letter, new GivenUp(messageId));
    }

    /** The message id of a dead letter in flight. */
    private record GivenUp(Object messageId) {}

    private int expire() {
        if (timeoutNanos == 0 || tracker.inFlight() == 0 || now - nextExpiry < 0) {
            return 0;
        }
        nextExpiry = now + Math.max(1, timeoutNanos / LOOKS_PER_TIMEOUT);
        long before = timedOut;
        tracker.forEachExpired(now - timeoutNanos, root -> {
            timedOut++;
            fail(root, "timed out");
        });
        return (int) (timedOut - before);
    }

    private int emitForOthers() {
        int count = 0;
        OutsideEmit next;
        while (count < budget() && hasRoom() && (next = outsideEmits.poll()) != null) {
            count++;
            try {
                next.emit().run();
            } catch (Throwable t) {
                // Without ackers the spout's ack is called at once, and may throw.
                failure(next.task().taskId, "ack", t);
            }
        }
        return count;
    }

    /**
     * Corrects the emit times of a long turn. Tuples of a turn count as emitted when the turn began. If {@code nextTuple}
     * waited for input during most of the turn, that time is too early: a message could time out before it has reached any
     * task.
     */
    @Override
    void afterLongTurn(long nanos) {
        if (timeoutNanos > 0 && nanos > timeoutNanos / LOOKS_PER_TIMEOUT) {
            tracker.postpone(now, now + nanos);
        }
    }

    /** Calls activate or deactivate of the spouts that are not in the wanted state. */
    private int inform(boolean active) {
        if (informed == active && !uneven) {
            return 0;
        }
        informed = active;
        uneven = false;
        if (active && !checkpoints) {
            counters.putRelease(Counter.ASKED, 1);
        }
        for (SpoutTask task : tasks) {
            if (task.spout != null && task.active != active) {
                tellActive(task, active);
            }
        }
        return 1;
    }

    /**
     * Activates or deactivates a spout. A spout whose activate threw is not deactivated; a spout whose deactivate threw is not
     * called again.
     */
    private void tellActive(SpoutTask task, boolean active) {
        countCalls(1);
        try {
            if (active) {
                task.spout.activate();
                task.active = true;
            } else {
                task.active = false;
                task.spout.deactivate();
            }
        } catch (Throwable t) {
            failure(task.taskId, active ? "activate" : "deactivate", t);
        }
    }

    private int openAll() {
        for (SpoutTask task : tasks) {
            if (task.spout == null && !tryOpen(task)) {
                return 1;
            }
        }
        allOpen = true;
        uneven = true;
        return 1;
    }

    private boolean tryOpen(SpoutTask task) {
        try {
            open(task.taskId);
            return true;
        } catch (Throwable t) {
            failure(task.taskId, "open", t);
            letGo(task);
            return false;
        }
    }

    @Override
    void open(int taskId) {
        SpoutTask task = tasks[taskId - firstTask];
        task.release();
        Object instance = component.newInstance().get();
        task.control = new InstanceControl(this, taskId);
        TopologyContext context = newContext(taskId, task.control);
        ISpout spout = (ISpout) shared.contexts().adopt(instance, context);
        OutStreams out = new OutStreams(shared, component, taskId, context, EdgeIds.seedFor(shared.seed(), -taskId));
        out.moveTo(outputs, isSole());
        task.take(spout, new SpoutCollector(this, task, spout, out, context));
        spout.open(newConf(), context, task.collector);
        task.opened();
    }

    boolean isSole() {
        return tasks.length == 1;
    }

    @Override
    Object anyInstance() {
        return tasks[0].instance();
    }

    @Override
    void rewrap(int taskId) {
        tasks[taskId - firstTask].rewrap();
    }

    @Override
    void abandon(int taskId) {
        tasks[taskId - firstTask].release();
        allOpen = false;
    }

    /** Closes an instance and drops its messages, because a new instance would not know them. */
    @Override
    void closeInstance(int taskId) {
        SpoutTask task = tasks[taskId - firstTask];
        ISpout spout = task.spout;
        task.spout = null;
        allOpen = false;
        letGo(task);
        if (spout == null) {
            return;
        }
        if (task.active) {
            task.active = false;
            closing(taskId, "deactivate", spout::deactivate);
        }
        closing(taskId, "close", spout::close);
        task.release();
    }

    private void closing(int taskId, String during, Runnable call) {
        try {
            call.run();
        } catch (Throwable t) {
            shared.errors().report(component.id(), taskId, during, t, "the instance is removed anyway");
        }
    }

    private void letGo(SpoutTask task) {
        if (task.collector != null) {
            task.collector.release();
        }
        forget(task.index);
    }

    private void forget(int taskIndex) {
        for (int i = 0; i < completeLength; i += 2) {
            if (complete[i] != NO_TREE && complete[i + 1] == 0 && taskOf(tracker.tag(complete[i])).index == taskIndex) {
                tracker.close(complete[i]);
                complete[i] = NO_TREE;
            }
        }
        tracker.forEachExpired(Long.MAX_VALUE / 2 + now, root -> {
            if (taskOf(tracker.tag(root)).index == taskIndex) {
                tracker.close(root);
            }
        });
    }

    @Override
    void releaseOwn() {
        tracker.release();
        complete = new long[2];
        completeLength = 0;
    }

    @Override
    SpoutExecutor successor(ExecutorPlan next) {
        return new SpoutExecutor(shared, next, host, onDeath);
    }

    @Override
    boolean isSettled() {
        return tracker.inFlight() == 0;
    }

    @Override
    void handOver(int taskId, Executor to) {
        SpoutExecutor next = (SpoutExecutor) to;
        SpoutTask task = tasks[taskId - firstTask];
        int index = taskId - next.firstTask;
        next.tasks[index] = task;
        task.moveTo(next, index);
        next.informed |= task.active;
        outsideEmits.removeIf(emit -> emit.task() == task && next.outsideEmits.add(emit));
    }

    @Override
    void begin() {
        sole = tasks.length == 1 ? tasks[0] : null;
        told = outputs.severalRoots ? null : sole;
        allOpen = Arrays.stream(tasks).allMatch(task -> task.spout != null);
        uneven = true;
    }

    /** Opens a tree, and stores the message if it may be dead-lettered later. */
    long openTree(SpoutTask task, OutStream stream, List<Object> values, Object messageId) {
        long root = tracker.open(messageId);
        if (noted) {
            note(root, task, stream, values);
        }
        return root;
    }

    private void note(long root, SpoutTask task, OutStream outStream, List<Object> values) {
        int stream = outputs.severalRoots ? outStream.number : 0;
        tracker.tag(root, stream << taskBits | task.index);
        if (givesUp) {
            tracker.keep(root, new Message(outStream.origin.streamId(), values));
        }
    }

    @Override
    void publishOwn() {
        counters.putRelease(Counter.TIMED_OUT, timedOut);
        counters.putRelease(Counter.DEAD_LETTERED, deadLettered);
        counters.putRelease(Counter.ASKED, informed && !checkpoints ? 1 : 0);
        counters.putRelease(Counter.IN_FLIGHT, tracker.inFlight() + outsideEmits.size());
        counters.putRelease(Counter.TREES, tracker.inFlight());
    }
}
