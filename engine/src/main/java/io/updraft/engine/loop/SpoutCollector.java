package io.updraft.engine.loop;

import io.updraft.engine.api.TaskWrapper;
import io.updraft.engine.grouping.Grouper;
import io.updraft.engine.mesh.Batch;
import io.updraft.engine.tuple.EdgeIds;
import io.updraft.engine.tuple.EngineTuple;
import io.updraft.engine.tuple.Origin;
import java.util.List;
import java.util.function.Function;
import org.apache.storm.spout.ISpout;
import org.apache.storm.spout.ISpoutOutputCollector;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.utils.Utils;

/**
 * The collector with which a spout emits. May be called from any thread. When another thread than the spout's emits, the target
 * task is chosen at once, and the tuple is sent in the spout's next turn.
 */
final class SpoutCollector extends SpoutOutputCollector {

    private static final int OUTSIDE_SEED = 0x5EED;

    /** Most pauses of an emitting user thread during one turn of the spout. */
    private static final int LONGEST_WAIT_STEPS = 1000;

    /**
     * The executor of the task, for the thread that runs it. Changes, together with the edges, while neither the old nor the
     * new executor runs. The collector of an ended instance changes later, at its next emit.
     */
    private SpoutExecutor executor;

    private final SpoutTask task;
    private final PlainSpoutCalls plain;

    /** Receives acks when there are no ackers: the instance or its wrapper. */
    private ISpout spout;

    /** The wrapper's collector while the task is wrapped, else null. Written by the thread that runs the spout. */
    private volatile ISpoutOutputCollector wrapped;

    private final OutStreams out;
    private EdgeIds edges;
    private final TopologyContext context;

    /** Whether messages are tracked: not without ackers, nor for an ended instance. */
    private boolean acking;

    /** Whether the instance was closed. Its further tuples are sent, but no ack or fail is reported. */
    private boolean gone;

    /** The streams for user threads; created on first use, under the lock. */
    private OutStreams outside;

    SpoutCollector(SpoutExecutor executor, SpoutTask task, ISpout spout, OutStreams out, TopologyContext context) {
        super(null);
        this.executor = executor;
        this.task = task;
        this.spout = spout;
        this.out = out;
        this.edges = executor.edges;
        this.context = context;
        this.acking = executor.shared.settings().acking();
        this.plain = new PlainSpoutCalls(executor.detour, this);
    }

    /** Moves with its task to another executor, while neither runs. */
    void moveTo(SpoutExecutor next) {
        executor = next;
        edges = next.edges;
        out.moveTo(next.outputs, next.isSole());
        plain.moveTo(next.detour);
    }

    /** Sends all calls through a wrapper; null removes the wrapper. Call this only in a turn. */
    void wrap(TaskWrapper wrapper, ISpout outermost) {
        spout = wrapper == null ? outermost : new AckedInEmit(outermost, this);
        wrapped = wrapper == null ? null : wrapper.wrapCollector(plain);
    }

    /**
     * Returns the collector for a call that may come from the turn: the wrapper's, or the plain one if the calling thread is in
     * the turn; else null.
     */
    private ISpoutOutputCollector detour() {
        ISpoutOutputCollector wrapper = wrapped;
        if (wrapper != null) {
            return wrapper;
        }
        return executor.detour.isOwn() ? plain : null;
    }

    @Override
    public List<Integer> emit(String streamId, List<Object> values, Object messageId) {
        if (Thread.currentThread() != executor.runner) {
            ISpoutOutputCollector detour = detour();
            return detour == null ? emitOutside(streamId, values, messageId) : detour.emit(streamId, values, messageId);
        }
        OutStream stream = out.find(streamId);
        if (stream.soleTarget != OutStream.NO_SOLE_TARGET) {
            emitToOne(stream, stream.soleTarget, values, messageId);
            return stream.soleChoice;
        }
        return emitChosen(out.grouped(streamId), values, messageId);
    }

    private List<Integer> emitChosen(OutStream stream, List<Object> values, Object messageId) {
        Grouper only = stream.only;
        int choice = only == null ? Grouper.MANY : only.choose(values);
        if (choice == Grouper.MANY) {
            List<Integer> tasks = Emission.choose(stream, values);
            emitTo(stream, tasks, values, messageId);
            return tasks;
        }
        emitToOne(stream, only.target(choice), values, messageId);
        return only.singleton(choice);
    }

    private void emitToOne(OutStream stream, int target, List<Object> values, Object messageId) {
        executor.emitted++;
        if (messageId != null && acking) {
            long root = executor.openTree(task, stream, values, messageId);
            executor.send(EngineTuple.first(stream.origin, values, executor.index, root), target);
        } else {
            emitUntracked(stream, target, values, messageId);
        }
    }

    private void emitUntracked(OutStream stream, int target, List<Object> values, Object messageId) {
        executor.send(EngineTuple.untracked(stream.origin, values), target);
        if (messageId != null) {
            ackAtOnce(messageId);
        }
    }

    @Override
    public List<Integer> emit(List<Object> values, Object messageId) {
        return emit(Utils.DEFAULT_STREAM_ID, values, messageId);
    }

    /** Acks a message at once: without ackers it counts as processed when it is emitted, as in Storm. */
    private void ackAtOnce(Object messageId) {
        if (!gone) {
            spout.ack(messageId);
        }
    }

    /** Drops the instance; a new instance would not know its messages. Call this only in a turn. */
    void release() {
        gone = true;
        acking = false;
    }

    private void emitTo(OutStream stream, List<Integer> targets, List<Object> values, Object messageId) {
        Origin origin = stream.origin;
        executor.emitted++;
        if (messageId == null || !acking) {
            for (int i = 0; i < targets.size(); i++) {
                executor.send(EngineTuple.untracked(origin, values), targets.get(i));
            }
            if (messageId != null) {
                ackAtOnce(messageId);
            }
            return;
        }
        long root = executor.openTree(task, stream, values, messageId);
        EngineTuple[] tuples = new EngineTuple[targets.size()];
        long xor = 0;
        for (int i = 0; i < tuples.length; i++) {
            long edge = edges.next();
            xor ^= edge;
            tuples[i] = EngineTuple.tracked(origin, values, executor.index, root, edge);
        }
        // The tree must have all its edges before a tuple is sent, because sending may give up the loop and wait.
        executor.tracker.begin(root, xor);
        for (int i = 0; i < tuples.length; i++) {
            executor.send(tuples[i], targets.get(i));
        }
        if (tuples.length == 0) {
            executor.ack(Batch.ACK, root, 0);
        }
    }

    @Override
    public void emitDirect(int targetTask, String streamId, List<Object> values, Object messageId) {
        if (Thread.currentThread() != executor.runner) {
            ISpoutOutputCollector detour = detour();
            if (detour == null) {
                emitDirectOutside(targetTask, streamId, values, messageId);
            } else {
                detour.emitDirect(targetTask, streamId, values, messageId);
            }
            return;
        }
        emitDirectly(targetTask, streamId, values, messageId);
    }

    private void emitDirectly(int targetTask, String streamId, List<Object> values, Object messageId) {
        OutStream stream = out.direct(streamId, targetTask);
        List<Integer> targets = stream.directTargets.contains(targetTask) ? List.of(targetTask) : List.of();
        emitTo(stream, targets, values, messageId);
    }

    void emitDirectOutside(int targetTask, String streamId, List<Object> values, Object messageId) {
        // Checked now, so that the caller and not the spout's next turn receives the exception for an unknown stream.
        locked(owner -> outsideStreams(owner).direct(streamId, targetTask));
        enqueue(() -> emitDirectly(targetTask, streamId, values, messageId));
    }

    List<Integer> emitOutside(String streamId, List<Object> values, Object messageId) {
        Choice choice = locked(owner -> {
            OutStream stream = outsideStreams(owner).grouped(streamId);
            return new Choice(stream, Emission.choose(stream, values));
        });
        enqueue(() -> {
            out.emitsOn(choice.stream);
            emitTo(choice.stream, choice.targets, values, messageId);
        });
        return choice.targets;
    }

    /** The stream and target tasks of an emit of a user thread. */
    private record Choice(OutStream stream, List<Integer> targets) {}

    private OutStreams outsideStreams(SpoutExecutor owner) {
        if (outside == null) {
            long seed = EdgeIds.seedFor(owner.shared.seed() + OUTSIDE_SEED, task.taskId);
            outside = new OutStreams(owner.shared, owner.component, task.taskId, context, seed);
        }
        return outside;
    }

    /** Runs an action under the lock of the executor that has the task. */
    private <T> T locked(Function<SpoutExecutor, T> action) {
        while (true) {
            SpoutExecutor owner = task.owner;
            synchronized (owner.outsideLock) {
                if (owner == task.owner) {
                    return action.apply(owner);
                }
            }
        }
    }

    /** Queues an emit for the spout's next turn. */
    private void enqueue(Runnable emit) {
        awaitRoom();
        SpoutExecutor asked = locked(owner -> {
            owner.outsideEmits.add(new SpoutExecutor.OutsideEmit(task, () -> emitInTurn(emit)));
            return owner;
        });
        asked.ring();
    }

    /**
     * Blocks a user thread while many emits are waiting. Never blocks a thread of the engine. The thread continues when a turn
     * of the spout does not end, because the turn may wait for a lock that this thread holds.
     */
    private void awaitRoom() {
        int turn = 0;
        for (int step = 0; step < LONGEST_WAIT_STEPS && task.owner.hasManyOutsideEmits(); step++) {
            if (Thread.currentThread() instanceof EngineThread) {
                return;
            }
            SpoutExecutor owner = task.owner;
            if (!owner.detour.isTurnOn() || owner.turnNumber != turn) {
                turn = owner.turnNumber;
                step = 0;
            }
            owner.host.pause(owner);
        }
    }

    private void emitInTurn(Runnable emit) {
        if (executor != task.owner) {
            // The instance had ended when its task moved to another executor, but a thread that it started still emits.
            moveTo(task.owner);
        }
        emit.run();
    }

    /**
     * Leaves the quick path for a call of the instance within its own emit. Returns whether the call was on the quick path.
     * Call this only in a turn.
     */
    boolean interrupt() {
        return executor.detour.interrupt();
    }

    /** Returns to the quick path after {@link #interrupt}. */
    void goOn() {
        executor.detour.begin();
    }

    /** {@return the messages of this executor that are in flight} */
    @Override
    public long getPendingCount() {
        return task.owner.counters.getAcquire(Counter.IN_FLIGHT);
    }

    @Override
    public void reportError(Throwable error) {
        executor.shared
                .errors()
                .report(executor.component.id(), task.taskId, "reportError", error, "reported by the component itself");
    }

    /** Does nothing: emitted tuples are sent at the end of the turn. */
    @Override
    public void flush() {}
}
