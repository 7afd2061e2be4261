package io.updraft.engine.tuple;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.task.GeneralTopologyContext;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.MessageId;
import org.apache.storm.tuple.Values;

/**
 * A tuple on its way from one task to another, with its position in the tuple tree: 48 bytes, where Storm's tuple has a map.
 *
 * <p>A tuple of a single tree keeps the XOR of its own edge and the edges of its children in one number, which an ack reports.
 * If the tuple has a single child that no other task has received yet, an ack reports nothing: the child takes over the
 * parent's edge. The values are passed by reference.
 *
 * <p>The tracking state is changed only by the thread that runs the executor which received the tuple.
 */
public final class EngineTuple extends TypedTuple {

    /** The owner of a tuple that belongs to no tree. */
    public static final int UNTRACKED = -1;

    /** The owner of a tuple that belongs to several trees; see {@link #anchors()}. */
    public static final int MANY = -2;

    /** Set in the owner of a tuple that was acked or failed, which makes it negative. */
    private static final int SETTLED = Integer.MIN_VALUE;

    private static final int SETTLED_MANY = -3;

    /** Set while the tuple's own edge is derived from its root and so is not stored; see TreeTracker. */
    private static final int ONLY_EDGE = 1;

    /**
     * Value in place of the turn of a single child: there are several children, or the single child belongs to other trees too.
     */
    private static final int SEVERAL = -2;

    /** The values, passed by reference. */
    private final List<Object> values;

    /** The emitting stream and task. */
    private final Origin origin;

    /** The trees of a tuple with several trees; for a tuple with one tree, its first child once there is one. */
    private Object link;

    private final long root;

    /** The XOR of the tuple's edge, unless derived from the root, and the edges of its children. */
    private long pending;

    private int owner;

    /** The turn in which the single child was emitted, times two, 0 for none. The lowest bit is {@link #ONLY_EDGE}. */
    private int state;

    /** Kept small enough to be inlined at every call. */
    private EngineTuple(Origin origin, List<Object> values, int owner, long root, long edge) {
        this.origin = origin;
        this.values = values;
        this.owner = owner;
        this.root = root;
        this.pending = edge;
    }

    /**
     * {@return a tuple that belongs to no tree}
     *
     * @param origin the emitting stream and task
     * @param values its values
     */
    public static EngineTuple untracked(Origin origin, List<Object> values) {
        return new EngineTuple(origin, values, UNTRACKED, 0, 0);
    }

    /**
     * {@return a tuple that belongs to one tree}
     *
     * @param origin the emitting stream and task
     * @param values its values
     * @param owner the executor that owns the tree
     * @param root the tree
     * @param edge the tuple's edge
     */
    public static EngineTuple tracked(Origin origin, List<Object> values, int owner, long root, long edge) {
        return new EngineTuple(origin, values, owner, root, edge);
    }

    /**
     * {@return the only tuple of a message}
     *
     * @param origin the emitting stream and task
     * @param values its values
     * @param owner the executor that owns the tree
     * @param root the tree; the tuple's edge is derived from it, see {@link EdgeIds#first}
     */
    public static EngineTuple first(Origin origin, List<Object> values, int owner, long root) {
        EngineTuple tuple = new EngineTuple(origin, values, owner, root, 0);
        tuple.state = ONLY_EDGE;
        return tuple;
    }

    /**
     * {@return a tuple that belongs to several trees}
     *
     * @param origin the emitting stream and task
     * @param values its values
     * @param anchors the trees
     */
    public static EngineTuple tracked(Origin origin, List<Object> values, Anchors anchors) {
        return switch (anchors.size()) {
            case 0 -> untracked(origin, values);
            case 1 -> tracked(origin, values, anchors.owner(0), anchors.root(0), anchors.edge(0));
            default -> ofMany(origin, values, anchors);
        };
    }

    private static EngineTuple ofMany(Origin origin, List<Object> values, Anchors anchors) {
        EngineTuple tuple = new EngineTuple(origin, values, MANY, 0, 0);
        tuple.state = SEVERAL;
        tuple.link = anchors;
        return tuple;
    }

    /** {@return the emitting stream and task} */
    public Origin origin() {
        return origin;
    }

    /**
     * {@return the executor that owns the tree, {@link #UNTRACKED}, {@link #MANY}, or another negative number if the tuple has
     * already been acked or failed}
     */
    public int owner() {
        return owner;
    }

    /** {@return the tree, if there is one} */
    public long root() {
        return root;
    }

    /** {@return the trees, if there are several} */
    public Anchors anchors() {
        return (Anchors) link;
    }

    /**
     * {@return the XOR of the edges that an ack reports; with {@link #MANY} trees, without the tuple's own edge in each tree}
     */
    public long pending() {
        return (state & ONLY_EDGE) == 0 ? pending : pending ^ EdgeIds.first(owner & ~SETTLED, root);
    }

    /**
     * Creates a child of a tuple with one tree and records it.
     *
     * @param from the stream and task that emit the child
     * @param childValues the values of the child
     * @param edge the edge of the child
     * @param turn the current turn of the executor, positive
     * @return the child
     */
    public EngineTuple child(Origin from, List<Object> childValues, long edge, int turn) {
        EngineTuple child = tracked(from, childValues, owner, root, edge);
        pending ^= edge;
        if (state >>> 1 == 0) {
            state |= turn << 1;
            link = child;
        } else {
            state |= SEVERAL;
        }
        return child;
    }

    /**
     * Records a child that belongs to other trees too.
     *
     * @param edge the child's edge
     */
    public void addChild(long edge) {
        pending ^= edge;
        state |= SEVERAL;
    }

    /**
     * Passes the tuple's edge to its single child, if the child was emitted in this turn and so has not been sent yet. For the
     * tree, the result is the same as an ack that removes one edge and adds the other.
     *
     * @param turn the current turn of the executor
     * @return whether the edge was passed on; an ack then reports nothing
     */
    public boolean passOn(int turn) {
        if (state >>> 1 != turn) {
            return false;
        }
        EngineTuple child = (EngineTuple) link;
        child.pending ^= pending;
        child.state = state & ONLY_EDGE;
        return true;
    }

    /** {@return whether an ack reports exactly one edge, the one derived from the root} */
    public boolean isOnlyEdge() {
        return state == ONLY_EDGE;
    }

    /**
     * Starts measuring the time until the ack. The tuple is turned into a tuple of {@link #MANY} trees, even if it has one tree
     * or none, because only acks of such tuples check the time. Other tuples so have no overhead. Called by the executor that
     * is about to execute the tuple.
     *
     * @param nanos the time, nanoseconds
     */
    public void time(long nanos) {
        if (owner >= 0) {
            Anchors trees = new Anchors(1);
            trees.append(owner, root, pending());
            become(trees);
        } else if (owner == UNTRACKED) {
            become(new Anchors(0));
        }
        if (owner == MANY) {
            anchors().time(nanos);
        }
    }

    private void become(Anchors trees) {
        owner = MANY;
        state = SEVERAL;
        pending = 0;
        link = trees;
    }

    /** Marks the tuple as acked or failed. A second ack or fail has no effect. */
    public void settle() {
        owner = owner == MANY ? SETTLED_MANY : owner | SETTLED;
    }

    /**
     * {@inheritDoc}
     *
     * <p>The id serves only to compare tuples: two tuples share a key if and only if they share a tree. The id does not change
     * during the life of the tuple, so it can be the key of a map.
     */
    @Override
    public MessageId getMessageId() {
        if (owner == UNTRACKED) {
            return MessageId.makeUnanchored();
        }
        Map<Long, Long> anchorsToIds = new HashMap<>();
        if (owner == MANY || owner == SETTLED_MANY) {
            Anchors trees = anchors();
            for (int i = 0; i < trees.size(); i++) {
                anchorsToIds.put(key(trees.owner(i), trees.root(i)), trees.edge(i));
            }
        } else {
            // Not the edge, because only its XOR with the edges of the children is stored.
            anchorsToIds.put(key(owner & ~SETTLED, root), (long) System.identityHashCode(this));
        }
        return MessageId.makeId(anchorsToIds);
    }

    private static long key(int owner, long root) {
        return root ^ owner * 0x9E3779B97F4A7C15L;
    }

    @Override
    public String toString() {
        return "source: " + origin.componentId() + ":" + origin.taskId() + ", stream: " + origin.streamId() + ", id: "
                + getMessageId() + ", " + values + " PROC_START_TIME(sampled): null EXEC_START_TIME(sampled): null";
    }

    /**
     * Reads the tuple, its list of values and the first value, and does nothing with them. On another core than the sender's each
     * of these is a cache miss, and only the address of the next one comes out of it. When many tuples are read in a row, the
     * misses of different tuples overlap.
     *
     * @return a number that depends on what was read, so that no compiler removes the reads
     */
    public int prefetch() {
        int read = owner;
        // Lists of users may compute their elements, so they are left alone.
        if (values != null
                && values.getClass() == Values.class
                && !values.isEmpty()
                && values.get(0) instanceof String text) {
            read += text.length();
        }
        return read;
    }

    @Override
    public GlobalStreamId getSourceGlobalStreamId() {
        return origin.globalStreamId();
    }

    @Override
    public String getSourceComponent() {
        return origin.componentId();
    }

    @Override
    public int getSourceTask() {
        return origin.taskId();
    }

    @Override
    public String getSourceStreamId() {
        return origin.streamId();
    }

    @Override
    public GeneralTopologyContext getContext() {
        return origin.context();
    }

    @Override
    public boolean contains(String field) {
        return origin.fields().contains(field);
    }

    @Override
    public Fields getFields() {
        return origin.fields();
    }

    @Override
    public int fieldIndex(String field) {
        return origin.fields().fieldIndex(field);
    }

    @Override
    public List<Object> select(Fields selector) {
        return origin.fields().select(selector, values);
    }

    @Override
    public Object getValue(int i) {
        return values.get(i);
    }

    @Override
    public List<Object> getValues() {
        return values;
    }
}
