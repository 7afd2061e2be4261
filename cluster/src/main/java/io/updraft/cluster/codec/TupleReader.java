package io.updraft.cluster.codec;

import io.updraft.engine.plan.Plan;
import io.updraft.engine.plan.StreamPlan;
import io.updraft.engine.tuple.Anchors;
import io.updraft.engine.tuple.EngineTuple;
import io.updraft.engine.tuple.Origin;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.storm.task.GeneralTopologyContext;

/** Reads tuples. Remembers the state of the connection: the declared streams and the fields of the previous tuple. */
final class TupleReader {
    private static final int NONE = -1;

    private record Stream(int task, String name) {}

    private final FrameInput in;
    private final ValueReader values;
    private final FrameTargets targets;
    private final Plan plan;
    private final GeneralTopologyContext context;

    /** The streams declared on this connection, by number. There are at most as many as the plan has. */
    private final List<Origin> sources = new ArrayList<>();

    private final Set<Stream> declared = new HashSet<>();

    /** Whether a serializer of the user writes all values. It may encrypt them, so then no other form is accepted. */
    private final boolean whole;

    /** By owner, the expected root of the next tuple. */
    private final long[] expected;

    private Origin origin;

    private int form;
    private int target;
    private int owner;

    TupleReader(FrameInput in, ValueReader values, FrameTargets targets, Plan plan, GeneralTopologyContext context) {
        this.in = in;
        this.values = values;
        this.targets = targets;
        this.plan = plan;
        this.context = context;
        whole = BatchEncoder.hasOwnSerializer(plan.conf());
        expected = new long[targets.executors()];
        reset();
    }

    void reset() {
        sources.clear();
        declared.clear();
        Arrays.fill(expected, 0);
        origin = null;
        form = NONE;
        target = NONE;
        owner = NONE;
    }

    void readDeclaration() throws CodecException {
        int task = in.readVarint();
        String stream = values.readString();
        StreamPlan streamPlan = find(task, stream);
        if (streamPlan == null || !declared.add(new Stream(task, streamPlan.streamId()))) {
            throw in.malformed(
                    "task " + task + " has no such stream, or the stream was already declared: " + printable(stream));
        }
        sources.add(Origin.of(plan, streamPlan, task, context));
    }

    private StreamPlan find(int task, String stream) {
        if (task >= plan.taskToExecutor().length || plan.taskToExecutor()[task] < 0) {
            return null;
        }
        int component = plan.executors().get(plan.taskToExecutor()[task]).componentIndex();
        for (StreamPlan output : plan.components().get(component).outputs()) {
            if (output.streamId().equals(stream)) {
                return output;
            }
        }
        return null;
    }

    /** Makes a name from the wire safe to print: at most 80 characters, printable ASCII. */
    private static String printable(String name) {
        String start = name.length() <= 80 ? name : name.substring(0, 80) + "...";
        return start.replaceAll("[^\\x20-\\x7E]", "?");
    }

    int target() {
        return target;
    }

    /** Reads a tuple whose first byte has been read. */
    EngineTuple read(int head) throws CodecException {
        if ((head & BatchLayout.SOURCE) != 0) {
            readSource();
        }
        if ((head & BatchLayout.TARGET) != 0) {
            readTarget();
        }
        if (origin == null || target == NONE) {
            throw in.malformed("the first tuple of the connection has no source or no target");
        }
        return switch (head & BatchLayout.TRACKING_MASK) {
            case BatchLayout.UNTRACKED -> readUntracked(head);
            case BatchLayout.MANY -> readMany(head);
            default -> readTracked(head);
        };
    }

    private void readSource() throws CodecException {
        int number = in.readVarint();
        if (number >= sources.size()) {
            throw in.malformed("stream number " + number + ", but only " + sources.size() + " were declared");
        }
        origin = sources.get(number);
        form = in.readVarint();
        if ((form == 0) != whole) {
            throw in.malformed("the sender and this worker use different values of topology.tuple.serializer");
        }
    }

    private void readTarget() throws CodecException {
        target = in.readVarint();
        if (!targets.isTarget(target)) {
            throw in.malformed("task " + target + " is not a bolt of this worker");
        }
    }

    private EngineTuple readUntracked(int head) throws CodecException {
        refuseTree(head);
        return EngineTuple.untracked(origin, values.readAll(form));
    }

    private EngineTuple readTracked(int head) throws CodecException {
        if ((head & BatchLayout.OWNER) != 0) {
            owner = readOwner();
        }
        if (owner == NONE) {
            throw in.malformed("the first tuple of a tree has no owner");
        }
        long root = checked(expected[owner] + ((head & BatchLayout.ROOT) != 0 ? in.readZigzag() : 0));
        expected[owner] = root + 1;
        if ((head & BatchLayout.TRACKING_MASK) == BatchLayout.ONLY_EDGE) {
            return EngineTuple.first(origin, values.readAll(form), owner, root);
        }
        long edge = in.readLong();
        return EngineTuple.tracked(origin, values.readAll(form), owner, root, edge);
    }

    private long checked(long root) throws CodecException {
        if (root <= 0) {
            throw in.malformed("tree " + root + ", but tree numbers begin with 1");
        }
        return root;
    }

    private EngineTuple readMany(int head) throws CodecException {
        refuseTree(head);
        int count = in.readVarint();
        if (count < 2 || count > in.remaining() / BatchLayout.MIN_TREE) {
            throw in.malformed("a tuple of " + count + " trees, but only " + in.remaining() + " bytes are left");
        }
        Anchors trees = new Anchors(count);
        for (int i = 0; i < count; i++) {
            int owner = readOwner();
            trees.append(owner, checked(expected[owner] + in.readZigzag()), in.readLong());
        }
        return EngineTuple.tracked(origin, values.readAll(form), trees);
    }

    private void refuseTree(int head) throws CodecException {
        if ((head & (BatchLayout.OWNER | BatchLayout.ROOT)) != 0) {
            throw in.malformed("a tuple has an owner or a root, but does not belong to exactly one tree");
        }
    }

    private int readOwner() throws CodecException {
        int owner = in.readVarint();
        if (!targets.isOwner(owner)) {
            throw in.malformed("executor " + owner + " owns no trees");
        }
        return owner;
    }
}
