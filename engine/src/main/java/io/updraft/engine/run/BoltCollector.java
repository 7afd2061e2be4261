package io.updraft.engine.run;

import io.updraft.engine.api.TaskWrapper;
import io.updraft.engine.grouping.Grouper;
import io.updraft.engine.tuple.Anchors;
import io.updraft.engine.tuple.Batch;
import io.updraft.engine.tuple.EdgeIds;
import io.updraft.engine.tuple.EngineTuple;
import io.updraft.engine.tuple.Origin;
import java.util.Collection;
import java.util.List;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.tuple.Tuple;

/**
 * The collector with which a bolt emits, acks and fails. On the thread that runs the bolt a call is a few array writes. Other
 * threads may call it too; their calls go through {@link UserThreadCalls}.
 */
class BoltCollector extends OutputCollector {

    /** The executor that has the task. Changes, together with its parts, while neither the old nor the new executor runs. */
    private EmitContext executor;

    private TurnThread turn;
    private Outbox outbox;
    private EdgeIds edges;
    private final OutStreams out;
    private final UserThreadCalls outside;
    private final int taskId;

    /** Counts the acks and fails of a bolt with several inputs by stream. Bolts with one input do not need that. */
    private static final class CountingBoltCollector extends BoltCollector {

        private CountingBoltCollector(EmitContext executor, OutStreams out, TopologyContext context, int taskId) {
            super(executor, out, context, taskId);
        }

        @Override
        public void ack(Tuple input) {
            if (!isOutside() && input instanceof EngineTuple tuple) {
                inputs().acked(tuple);
            }
            super.ack(input);
        }

        @Override
        public void fail(Tuple input) {
            if (!isOutside() && input instanceof EngineTuple tuple) {
                inputs().failed(tuple);
            }
            super.fail(input);
        }
    }

    public static BoltCollector of(EmitContext executor, OutStreams out, TopologyContext context, int taskId) {
        return executor.inputs().isByStream()
                ? new CountingBoltCollector(executor, out, context, taskId)
                : new BoltCollector(executor, out, context, taskId);
    }

    private BoltCollector(EmitContext executor, OutStreams out, TopologyContext context, int taskId) {
        super(null);
        this.out = out;
        use(executor);
        this.taskId = taskId;
        this.outside = new UserThreadCalls(executor, this, context, taskId);
    }

    /** Sends all calls through a wrapper; null removes the wrapper. Call this only in a turn. */
    public void wrap(TaskWrapper wrapper) {
        outside.wrap(wrapper);
    }

    /** Moves with its task to another executor, while neither executor runs. */
    public void moveTo(EmitContext next) {
        use(next);
        out.moveTo(next.outputs(), next.sole());
        outside.moveTo(next);
    }

    private void use(EmitContext next) {
        executor = next;
        turn = next.turn();
        outbox = next.outbox();
        edges = next.edges();
    }

    final boolean isOutside() {
        return !turn.isQuick();
    }

    final InputCounts inputs() {
        return executor.inputs();
    }

    @Override
    public List<Integer> emit(String streamId, Tuple anchor, List<Object> values) {
        if (isOutside()) {
            return outside.collector().emit(streamId, anchor == null ? List.of() : List.of(anchor), values);
        }
        OutStream stream = out.find(streamId);
        if (stream.soleTarget != OutStream.NO_SOLE_TARGET) {
            outbox.countEmit();
            outbox.send(derive(stream.origin, values, anchor), stream.soleTarget);
            return stream.soleChoice;
        }
        return emitChosen(out.grouped(streamId), anchor, values);
    }

    private List<Integer> emitChosen(OutStream stream, Tuple anchor, List<Object> values) {
        outbox.countEmit();
        Grouper only = stream.only;
        int choice = only == null ? Grouper.MANY : only.choose(values);
        if (choice == Grouper.MANY) {
            List<Integer> tasks = Emission.choose(stream, values);
            for (int i = 0; i < tasks.size(); i++) {
                outbox.send(derive(stream.origin, values, anchor), tasks.get(i));
            }
            return tasks;
        }
        outbox.send(derive(stream.origin, values, anchor), only.target(choice));
        return only.singleton(choice);
    }

    @Override
    public List<Integer> emit(String streamId, List<Object> values) {
        return emit(streamId, (Tuple) null, values);
    }

    @Override
    public List<Integer> emit(String streamId, Collection<Tuple> anchors, List<Object> values) {
        if (anchors == null || anchors.size() < 2) {
            return emit(streamId, Emission.onlyOne(anchors), values);
        }
        if (isOutside()) {
            return outside.collector().emit(streamId, anchors, values);
        }
        OutStream stream = out.grouped(streamId);
        outbox.countEmit();
        List<Integer> tasks = Emission.choose(stream, values);
        for (int i = 0; i < tasks.size(); i++) {
            outbox.send(derive(stream.origin, values, anchors), tasks.get(i));
        }
        return tasks;
    }

    @Override
    public void emitDirect(int task, String streamId, Tuple anchor, List<Object> values) {
        emitDirect(task, streamId, anchor == null ? List.of() : List.of(anchor), values);
    }

    @Override
    public void emitDirect(int task, String streamId, List<Object> values) {
        emitDirect(task, streamId, List.of(), values);
    }

    @Override
    public void emitDirect(int task, String streamId, Collection<Tuple> anchors, List<Object> values) {
        if (isOutside()) {
            outside.collector().emitDirect(task, streamId, anchors, values);
            return;
        }
        OutStream stream = out.direct(streamId, task);
        outbox.countEmit();
        if (stream.directTargets.contains(task)) {
            outbox.send(derive(stream.origin, values, anchors == null ? List.of() : anchors), task);
        }
    }

    private EngineTuple derive(Origin origin, List<Object> values, Tuple anchor) {
        if (anchor instanceof EngineTuple parent && parent.owner() >= 0) {
            return parent.child(origin, values, edges.next(), outbox.turnNumber());
        }
        return deriveOther(origin, values, anchor);
    }

    private EngineTuple deriveOther(Origin origin, List<Object> values, Tuple anchor) {
        if (anchor instanceof EngineTuple parent && parent.owner() == EngineTuple.MANY) {
            return derive(origin, values, List.of(anchor));
        }
        return EngineTuple.untracked(origin, values);
    }

    private EngineTuple derive(Origin origin, List<Object> values, Collection<Tuple> anchors) {
        Anchors trees = new Anchors(anchors.size());
        for (Tuple anchor : anchors) {
            if (anchor instanceof EngineTuple parent && parent.owner() != EngineTuple.UNTRACKED) {
                long edge = edges.next();
                parent.addChild(edge);
                Emission.addTrees(trees, parent, edge);
            }
        }
        return EngineTuple.tracked(origin, values, trees);
    }

    @Override
    public void ack(Tuple input) {
        if (isOutside()) {
            outside.collector().ack(input);
            return;
        }
        outbox.countAck();
        if (input instanceof EngineTuple tuple) {
            int owner = tuple.owner();
            if (owner >= 0) {
                if (tuple.isOnlyEdge()) {
                    outbox.reportOnlyEdge(owner, tuple.root());
                } else if (!tuple.passOn(outbox.turnNumber())) {
                    outbox.report(Batch.ACK, owner, tuple.root(), tuple.pending());
                }
                tuple.settle();
            } else if (owner == EngineTuple.MANY) {
                settleMany(tuple, Batch.ACK);
            }
        }
    }

    @Override
    public void fail(Tuple input) {
        if (isOutside()) {
            outside.collector().fail(input);
            return;
        }
        outbox.countFail();
        if (input instanceof EngineTuple tuple) {
            int owner = tuple.owner();
            if (owner >= 0) {
                outbox.report(Batch.FAIL, owner, tuple.root(), 0);
                tuple.settle();
            } else if (owner == EngineTuple.MANY) {
                settleMany(tuple, Batch.FAIL);
            }
        }
    }

    private void settleMany(EngineTuple tuple, int kind) {
        Anchors trees = tuple.anchors();
        if (trees.isTimed() && kind == Batch.ACK) {
            executor.inputs().recordProcess(tuple, executor.shared().clock().nanoTime() - trees.since());
        }
        for (int i = 0; i < trees.size(); i++) {
            outbox.report(kind, trees.owner(i), trees.root(i), trees.edge(i) ^ tuple.pending());
        }
        tuple.settle();
    }

    @Override
    public void resetTimeout(Tuple input) {
        if (isOutside()) {
            outside.collector().resetTimeout(input);
            return;
        }
        if (input instanceof EngineTuple tuple) {
            Emission.forEachTree(tuple, (owner, root) -> outbox.report(Batch.RESET_TIMEOUT, owner, root, 0));
        }
    }

    @Override
    public void reportError(Throwable error) {
        executor.reportError(taskId, error);
    }

    /** Does nothing: emitted tuples are sent at the end of the turn. */
    @Override
    public void flush() {}
}
