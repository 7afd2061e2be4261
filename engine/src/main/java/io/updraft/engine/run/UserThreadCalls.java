package io.updraft.engine.run;

import io.updraft.engine.api.TaskWrapper;
import io.updraft.engine.tuple.Anchors;
import io.updraft.engine.tuple.Batch;
import io.updraft.engine.tuple.EngineTuple;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.storm.task.IOutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.tuple.Tuple;

/**
 * Emits, acks and fails that are not on the quick path: those of threads that a bolt has started itself, and those that come
 * through the wrapper of a task, which return to the quick path if the calling thread is in the bolt's turn.
 *
 * <p>Calls of other threads must not touch the state that the thread in the bolt's turn uses. So they have their own streams under a lock,
 * and send through the mailbox of the home loop. In particular they must not change the parent tuple: they report the new edge
 * to the tree at once, where a call in the turn would remember the edge until the ack. The home loop empties its mailbox before
 * it sends the output of a turn. So an edge created before the ack of its parent is counted before that ack.
 */
final class UserThreadCalls implements IOutputCollector {

    /** The executor that has the task. Changes under the lock of the previous executor. */
    private volatile EmitContext executor;

    private final BoltCollector quick;
    private final TopologyContext context;
    private final int taskId;

    /** The wrapper's collector while the task is wrapped, else null. Written by the thread that runs the bolt. */
    private volatile IOutputCollector wrapped;

    /** Created on first use, under the lock. */
    private OutStreams out;

    UserThreadCalls(EmitContext executor, BoltCollector quick, TopologyContext context, int taskId) {
        this.executor = executor;
        this.context = context;
        this.taskId = taskId;
        this.quick = quick;
    }

    /** Moves with the task to another executor, while neither runs and under the lock of the previous executor. */
    void moveTo(EmitContext next) {
        executor = next;
    }

    /** Runs an action under the lock of the executor that has the task. */
    private <T> T locked(Function<EmitContext, T> action) {
        while (true) {
            EmitContext owner = executor;
            synchronized (owner.lock()) {
                if (owner == executor) {
                    return action.apply(owner);
                }
            }
        }
    }

    void wrap(TaskWrapper wrapper) {
        wrapped = wrapper == null ? null : wrapper.wrapCollector(this);
    }

    /** Returns the collector for a call that is not on the quick path: the wrapper's, or this one. */
    IOutputCollector collector() {
        IOutputCollector wrapper = wrapped;
        return wrapper == null ? this : wrapper;
    }

    /** Runs a call on the quick path if it comes from the bolt's turn. Returns false for a call of another thread. */
    private boolean inTurn(Consumer<BoltCollector> call) {
        TurnThread turn = executor.turn();
        if (!turn.resumeQuickPath()) {
            return false;
        }
        try {
            call.accept(quick);
        } finally {
            turn.leaveQuickPath();
        }
        return true;
    }

    @Override
    public List<Integer> emit(String streamId, Collection<Tuple> anchors, List<Object> values) {
        TurnThread turn = executor.turn();
        if (turn.resumeQuickPath()) {
            try {
                return quick.emit(streamId, anchors, values);
            } finally {
                turn.leaveQuickPath();
            }
        }
        executor.awaitCapacity();
        return locked(owner -> {
            OutStream stream = out().grouped(streamId);
            List<Integer> tasks = Emission.choose(stream, values);
            send(owner, stream, tasks, anchors, values);
            return tasks;
        });
    }

    @Override
    public void emitDirect(int task, String streamId, Collection<Tuple> anchors, List<Object> values) {
        if (inTurn(to -> to.emitDirect(task, streamId, anchors, values))) {
            return;
        }
        executor.awaitCapacity();
        locked(owner -> {
            OutStream stream = out().direct(streamId, task);
            List<Integer> tasks = stream.directTargets.contains(task) ? List.of(task) : List.of();
            send(owner, stream, tasks, anchors, values);
            return null;
        });
    }

    private OutStreams out() {
        if (out == null) {
            out = executor.outsideStreams(taskId, context);
        }
        return out;
    }

    private static void send(
            EmitContext owner, OutStream stream, List<Integer> tasks, Collection<Tuple> anchors, List<Object> values) {
        owner.counters().addOutside(ExecutorCounter.EMITTED, 1);
        owner.counters().addOutside(ExecutorCounter.TRANSFERRED, tasks.size());
        owner.outputs().emittedOutside(stream.number, tasks.size());
        Batch batch = new Batch();
        for (int task : tasks) {
            batch.add(derive(owner, stream, values, anchors, batch), task);
        }
        owner.loop().home().post(batch);
    }

    private static EngineTuple derive(
            EmitContext owner, OutStream stream, List<Object> values, Collection<Tuple> anchors, Batch batch) {
        Anchors trees = new Anchors();
        if (anchors != null) {
            for (Tuple anchor : anchors) {
                if (anchor instanceof EngineTuple parent) {
                    Emission.addTrees(trees, parent, owner.outsideEdges().next());
                }
            }
        }
        for (int i = 0; i < trees.size(); i++) {
            batch.addReport(Batch.ACK, trees.owner(i), trees.root(i), trees.edge(i));
        }
        return EngineTuple.tracked(stream.origin, values, trees);
    }

    @Override
    public void ack(Tuple input) {
        if (!inTurn(to -> to.ack(input))) {
            settle(input, Batch.ACK);
        }
    }

    @Override
    public void fail(Tuple input) {
        if (!inTurn(to -> to.fail(input))) {
            settle(input, Batch.FAIL);
        }
    }

    private void settle(Tuple input, int kind) {
        locked(owner -> {
            owner.counters().addOutside(kind == Batch.ACK ? ExecutorCounter.ACKED : ExecutorCounter.FAILED, 1);
            if (input instanceof EngineTuple tuple) {
                count(owner, tuple, kind);
                owner.loop().home().post(settled(tuple, kind));
            }
            return null;
        });
    }

    private static void count(EmitContext owner, EngineTuple tuple, int kind) {
        boolean acked = kind == Batch.ACK;
        if (owner.inputs().isByStream()) {
            owner.inputs().settledOutside(tuple, acked);
        }
        if (acked && tuple.owner() == EngineTuple.MANY && tuple.anchors().isTimed()) {
            long since = tuple.anchors().since();
            owner.inputs().recordProcessOutside(tuple, owner.shared().clock().nanoTime() - since);
        }
    }

    private static Batch settled(EngineTuple tuple, int kind) {
        Batch batch = new Batch();
        if (tuple.owner() >= 0) {
            batch.addReport(kind, tuple.owner(), tuple.root(), tuple.pending());
        } else if (tuple.owner() == EngineTuple.MANY) {
            Anchors trees = tuple.anchors();
            for (int i = 0; i < trees.size(); i++) {
                batch.addReport(kind, trees.owner(i), trees.root(i), trees.edge(i) ^ tuple.pending());
            }
        }
        tuple.settle();
        return batch;
    }

    @Override
    public void resetTimeout(Tuple input) {
        if (!inTurn(to -> to.resetTimeout(input)) && input instanceof EngineTuple tuple) {
            Batch batch = new Batch();
            Emission.forEachTree(tuple, (owner, root) -> batch.addReport(Batch.RESET_TIMEOUT, owner, root, 0));
            locked(owner -> {
                owner.loop().home().post(batch);
                return null;
            });
        }
    }

    @Override
    public void reportError(Throwable error) {
        executor.reportError(taskId, error);
    }

    /** Does nothing: tuples are sent at once. */
    @Override
    public void flush() {}
}
