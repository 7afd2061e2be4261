package io.updraft.cluster.codec;

import io.updraft.engine.tuple.Anchors;
import io.updraft.engine.tuple.EngineTuple;
import io.updraft.engine.tuple.Origin;
import java.util.Arrays;
import java.util.List;

/** Reads tuples, and remembers what has been said on this connection. */
final class TupleReader {

    private static final int NONE = -1;

    private final FrameReader in;
    private final ValueReader values;
    private final Sources sources;
    private final Addressees addressees;

    /** Whether a serializer of the user's writes all values; it may encrypt them, so nothing else is accepted then. */
    private final boolean whole;

    /** By owner, the root that the next tuple will probably have. */
    private final long[] expected;

    /** Null before the first tuple. */
    private Origin origin;

    private int form;
    private int target;
    private int owner;

    TupleReader(FrameReader in, ValueReader values, Sources sources, Addressees addressees, boolean whole) {
        this.in = in;
        this.values = values;
        this.sources = sources;
        this.addressees = addressees;
        this.whole = whole;
        this.expected = new long[addressees.executors()];
        reset();
    }

    void reset() {
        sources.clear();
        Arrays.fill(expected, 0);
        origin = null;
        form = NONE;
        target = NONE;
        owner = NONE;
    }

    void readDeclaration() throws CodecException {
        int task = in.readVarint();
        String stream = values.readString();
        if (!sources.declare(task, stream)) {
            throw in.malformed(
                    "task " + task + " has no stream of this name, or it was declared before: " + printable(stream));
        }
    }

    /** For people: nobody knows what is in it. */
    private static String printable(String name) {
        String start = name.length() <= 80 ? name : name.substring(0, 80) + "...";
        return start.replaceAll("[^\\x20-\\x7E]", "?");
    }

    /** The task that the tuple which was read last goes to. */
    int target() {
        return target;
    }

    /** Reads a tuple of which the first byte was read. */
    EngineTuple read(int head) throws CodecException {
        if ((head & Layout.SOURCE) != 0) {
            readSource();
        }
        if ((head & Layout.TARGET) != 0) {
            readTarget();
        }
        if (origin == null || target == NONE) {
            throw in.malformed("the first tuple has no source or no target");
        }
        return switch (head & Layout.TRACKING_MASK) {
            case Layout.UNTRACKED -> readUntracked(head);
            case Layout.MANY -> readMany(head);
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
            throw in.malformed(
                    "the sender and this worker do not agree about topology.tuple.serializer, or about its presence");
        }
    }

    private void readTarget() throws CodecException {
        target = in.readVarint();
        if (!addressees.isTarget(target)) {
            throw in.malformed("task " + target + " is no bolt of this worker");
        }
    }

    private EngineTuple readUntracked(int head) throws CodecException {
        refuseTree(head);
        return EngineTuple.untracked(origin, values.readAll(form));
    }

    private EngineTuple readTracked(int head) throws CodecException {
        if ((head & Layout.OWNER) != 0) {
            owner = readOwner();
        }
        if (owner == NONE) {
            throw in.malformed("the first tuple of a tree has no owner");
        }
        long root = checked(expected[owner] + ((head & Layout.ROOT) != 0 ? in.readZigzag() : 0));
        expected[owner] = root + 1;
        if ((head & Layout.TRACKING_MASK) == Layout.ONLY_EDGE) {
            return EngineTuple.first(origin, values.readAll(form), owner, root);
        }
        long edge = in.readLong();
        return EngineTuple.tracked(origin, values.readAll(form), owner, root, edge);
    }

    private long checked(long root) throws CodecException {
        if (root <= 0) {
            throw in.malformed("tree " + root + ": their numbers begin with 1");
        }
        return root;
    }

    private EngineTuple readMany(int head) throws CodecException {
        refuseTree(head);
        int count = in.readVarint();
        if (count < 2 || count > in.remaining() / Layout.LEAST_TREE) {
            throw in.malformed("a tuple of " + count + " trees, where " + in.remaining() + " bytes are left");
        }
        Anchors trees = new Anchors(count);
        for (int i = 0; i < count; i++) {
            int of = readOwner();
            trees.append(of, checked(expected[of] + in.readZigzag()), in.readLong());
        }
        List<Object> all = values.readAll(form);
        return EngineTuple.tracked(origin, all, trees);
    }

    private void refuseTree(int head) throws CodecException {
        if ((head & (Layout.OWNER | Layout.ROOT)) != 0) {
            throw in.malformed("a tuple with an owner or a root, but not of one tree");
        }
    }

    private int readOwner() throws CodecException {
        int of = in.readVarint();
        if (!addressees.isOwner(of)) {
            throw in.malformed("executor " + of + " owns no trees");
        }
        return of;
    }
}
