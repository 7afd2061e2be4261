package io.updraft.engine.run;

import io.updraft.engine.api.ForwardingSpout;
import io.updraft.engine.api.TaskWrapper;
import io.updraft.engine.grouping.Grouper;
import io.updraft.engine.run.SpoutOutput.SpoutTaskOwner;
import io.updraft.engine.tuple.Batch;
import io.updraft.engine.tuple.EdgeIds;
import io.updraft.engine.tuple.EngineTuple;
import io.updraft.engine.tuple.Origin;
import io.updraft.engine.tuple.TreeTracker;
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

    /** Most pauses of an emitting user thread during one turn of the spout. */
    private static final int MAX_WAIT_STEPS = 1000;

    /**
     * The executor of the task, for the thread that runs it. Changes, together with its parts, while neither the old nor the
     * new executor runs. The collector of an ended instance changes later, at its next emit.
     */
    private SpoutOutput executor;

    private TurnThread turn;
    private Outbox outbox;
    private EdgeIds edges;
    private TreeTracker tracker;
    private int index;
    private boolean tagged;
    private final SpoutTaskOwner task;
    private final ISpoutOutputCollector plain = new Unwrapped();

    /** Receives acks when there are no ackers: the instance or its wrapper. */
    private ISpout spout;

    /** The wrapper's collector while the task is wrapped, else null. Written by the thread that runs the spout. */
    private volatile ISpoutOutputCollector wrapped;

    private final OutStreams out;
    private final TopologyContext context;

    /** Whether messages are tracked: not without ackers, nor for an ended instance. */
    private boolean acking;

    /** Whether the instance was closed. Its further tuples are sent, but no ack or fail is reported. */
    private boolean released;

    /** The streams for user threads; created on first use, under the lock. */
    private OutStreams outside;

    /** The engine's own collector beneath the wrapped collector. Calls in the spout's turn take the quick path. */
    private final class Unwrapped implements ISpoutOutputCollector {

        @Override
        public List<Integer> emit(String streamId, List<Object> values, Object messageId) {
            TurnThread current = turn;
            if (!current.resumeQuickPath()) {
                return emitOutside(streamId, values, messageId);
            }
            try {
                return SpoutCollector.this.emit(streamId, values, messageId);
            } finally {
                current.leaveQuickPath();
            }
        }

        @Override
        public void emitDirect(int target, String streamId, List<Object> values, Object messageId) {
            TurnThread current = turn;
            if (!current.resumeQuickPath()) {
                emitDirectOutside(target, streamId, values, messageId);
                return;
            }
            try {
                SpoutCollector.this.emitDirect(target, streamId, values, messageId);
            } finally {
                current.leaveQuickPath();
            }
        }

        @Override
        public long getPendingCount() {
            return SpoutCollector.this.getPendingCount();
        }

        @Override
        public void reportError(Throwable error) {
            SpoutCollector.this.reportError(error);
        }

        @Override
        public void flush() {}
    }

    /**
     * Forwards acks from the collector to a wrapped spout when there are no ackers. The collector then acks a message within
     * its emit. Tuples that the spout emits in {@code ack} must pass the wrapper, as all its tuples do.
     */
    private static final class ImmediateAckSpout extends ForwardingSpout {
        private static final long serialVersionUID = 1L;

        private final transient SpoutCollector collector;

        private ImmediateAckSpout(ISpout spout, SpoutCollector collector) {
            super(spout);
            this.collector = collector;
        }

        @Override
        public void ack(Object messageId) {
            boolean quick = collector.turn.suspendQuickPath();
            try {
                super.ack(messageId);
            } finally {
                if (quick) {
                    collector.turn.resumeQuickPath();
                }
            }
        }
    }

    public SpoutCollector(SpoutTaskOwner task, ISpout spout, OutStreams out, TopologyContext context) {
        super(null);
        this.task = task;
        this.spout = spout;
        this.out = out;
        this.context = context;
        use(task.output());
        this.acking = executor.emits().shared().settings().acking();
    }

    /** Moves with its task to another executor, while neither runs. */
    public void moveTo(SpoutOutput next) {
        use(next);
        out.moveTo(next.emits().outputs(), next.emits().sole());
    }

    private void use(SpoutOutput next) {
        executor = next;
        turn = next.emits().turn();
        outbox = next.emits().outbox();
        edges = next.emits().edges();
        tracker = next.tracker();
        index = next.emits().index();
        tagged = next.tagged();
    }

    /** Sends all calls through a wrapper; null removes the wrapper. Call this only in a turn. */
    public void wrap(TaskWrapper wrapper, ISpout outermost) {
        spout = wrapper == null ? outermost : new ImmediateAckSpout(outermost, this);
        wrapped = wrapper == null ? null : wrapper.wrapCollector(plain);
    }

    /** Returns the collector for a call that is not on the quick path: the wrapper's, or the plain one. */
    private ISpoutOutputCollector detour() {
        ISpoutOutputCollector wrapper = wrapped;
        return wrapper == null ? plain : wrapper;
    }

    @Override
    public List<Integer> emit(String streamId, List<Object> values, Object messageId) {
        if (!turn.isQuick()) {
            return detour().emit(streamId, values, messageId);
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
        outbox.countEmit();
        if (messageId != null && acking) {
            outbox.send(EngineTuple.first(stream.origin, values, index, openTree(stream, values, messageId)), target);
        } else {
            emitUntracked(stream, target, values, messageId);
        }
    }

    /** Opens a tree, and stores the message if it may be dead-lettered later. */
    private long openTree(OutStream stream, List<Object> values, Object messageId) {
        long root = tracker.open(messageId);
        if (tagged) {
            executor.tag(root, task.index(), stream, values);
        }
        return root;
    }

    private void emitUntracked(OutStream stream, int target, List<Object> values, Object messageId) {
        outbox.send(EngineTuple.untracked(stream.origin, values), target);
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
        if (!released) {
            spout.ack(messageId);
        }
    }

    /** Drops the instance; a new instance would not know its messages. Call this only in a turn. */
    public void release() {
        released = true;
        acking = false;
    }

    private void emitTo(OutStream stream, List<Integer> targets, List<Object> values, Object messageId) {
        Origin origin = stream.origin;
        outbox.countEmit();
        if (messageId == null || !acking) {
            for (int i = 0; i < targets.size(); i++) {
                outbox.send(EngineTuple.untracked(origin, values), targets.get(i));
            }
            if (messageId != null) {
                ackAtOnce(messageId);
            }
            return;
        }
        long root = openTree(stream, values, messageId);
        EngineTuple[] tuples = new EngineTuple[targets.size()];
        long xor = 0;
        for (int i = 0; i < tuples.length; i++) {
            long edge = edges.next();
            xor ^= edge;
            tuples[i] = EngineTuple.tracked(origin, values, index, root, edge);
        }
        // The tree must have all its edges before a tuple is sent, because sending may give up the loop and wait.
        tracker.begin(root, xor);
        for (int i = 0; i < tuples.length; i++) {
            outbox.send(tuples[i], targets.get(i));
        }
        if (tuples.length == 0) {
            executor.trees().ack(Batch.ACK, root, 0);
        }
    }

    @Override
    public void emitDirect(int targetTask, String streamId, List<Object> values, Object messageId) {
        if (!turn.isQuick()) {
            detour().emitDirect(targetTask, streamId, values, messageId);
        } else {
            emitDirectly(targetTask, streamId, values, messageId);
        }
    }

    private void emitDirectly(int targetTask, String streamId, List<Object> values, Object messageId) {
        OutStream stream = out.direct(streamId, targetTask);
        List<Integer> targets = stream.directTargets.contains(targetTask) ? List.of(targetTask) : List.of();
        emitTo(stream, targets, values, messageId);
    }

    private void emitDirectOutside(int targetTask, String streamId, List<Object> values, Object messageId) {
        // Checked now, so that the caller and not the spout's next turn receives the exception for an unknown stream.
        locked(owner -> outsideStreams(owner).direct(streamId, targetTask));
        enqueue(() -> emitDirectly(targetTask, streamId, values, messageId));
    }

    private List<Integer> emitOutside(String streamId, List<Object> values, Object messageId) {
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

    private record Choice(OutStream stream, List<Integer> targets) {}

    private OutStreams outsideStreams(SpoutOutput owner) {
        if (outside == null) {
            outside = owner.emits().outsideStreams(task.taskId(), context);
        }
        return outside;
    }

    /** Runs an action under the lock of the executor that has the task. */
    private <T> T locked(Function<SpoutOutput, T> action) {
        while (true) {
            SpoutOutput owner = task.output();
            synchronized (owner.emits().lock()) {
                if (owner == task.output()) {
                    return action.apply(owner);
                }
            }
        }
    }

    private void enqueue(Runnable emit) {
        awaitCapacity();
        SpoutOutput receiver = locked(owner -> {
            owner.waiting().add(new SpoutOutput.WaitingEmit(task.taskId(), () -> emitInTurn(emit)));
            return owner;
        });
        receiver.emits().loop().ring();
    }

    /**
     * Blocks a user thread while many emits are waiting. Never blocks a thread of the engine. The thread continues when a turn
     * of the spout does not end, because the turn may wait for a lock that this thread holds.
     */
    private void awaitCapacity() {
        int number = 0;
        for (int step = 0; step < MAX_WAIT_STEPS && task.output().mustWait(); step++) {
            if (Thread.currentThread() instanceof EngineThread) {
                return;
            }
            EmitContext owner = task.output().emits();
            if (!owner.turn().isTurnOn() || owner.outbox().turnNumber() != number) {
                number = owner.outbox().turnNumber();
                step = 0;
            }
            owner.loop().pause();
        }
    }

    private void emitInTurn(Runnable emit) {
        if (executor != task.output()) {
            // The instance had ended when its task moved to another executor, but a thread that it started still emits.
            moveTo(task.output());
        }
        emit.run();
    }

    /** {@return the messages of this executor that are in flight} */
    @Override
    public long getPendingCount() {
        return task.output().emits().counters().getAcquire(ExecutorCounter.IN_FLIGHT);
    }

    @Override
    public void reportError(Throwable error) {
        executor.emits().reportError(task.taskId(), error);
    }

    @Override
    public void flush() {}
}
