package io.updraft.engine.tracker;

import io.updraft.engine.tuple.EdgeIds;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongConsumer;

/**
 * Knows the tuple trees that one spout executor has in flight.
 *
 * <p>The algorithm is Storm's (N. Marz, "Guaranteeing message processing"): each edge of a tree has a 64-bit id that is
 * XORed into the tree when the tuple is created and again when it is acked, so that the tree is complete when nothing is
 * left. Storm keeps the trees in hash maps of acker tasks; here they stand in a ring in the order in which they were opened:
 *
 * <pre>
 *                 head                          tail
 *   seen    [      | x0 | 0  | x2 | DONE | 0  |      ]    what was acked so far, XORed; see below
 *   ids     [      | m0 | m1 | m2 | m3   | m4 |      ]    the spout's names for the messages; null when ended
 *   marks             t0             t1                   nanoseconds; the trees from here on were opened then
 * </pre>
 *
 * <p>The root of a tree, its name in tuples and acks, is its number since the start, so its place is {@code root & mask}, and
 * what arrives late for a tree that has ended finds its number below the head or its id gone. No number is ever used twice.
 *
 * <p>The edge of a message that goes to a single task follows from its root ({@link #edgeOf}), so nothing has to be stored
 * to open the tree; a tree is complete when what was seen equals that edge. A message that goes to several tasks begins with
 * the difference.
 *
 * <p>A tree that stays in flight while all others come and go would hold up the head: when the ring has room for four times
 * what is in flight, and is full of ended trees all the same, the few that are not are set aside in a map.
 *
 * <p>A turn of a spout opens many trees at one time, so the time is kept for runs of trees. Only a tree whose timeout was
 * restarted has a time of its own.
 *
 * <p>Used by one thread at a time, the one that runs the spout executor. Grows as needed and never shrinks.
 */
public final class TreeTracker {

    /** Marks a tree that is complete and whose spout has not heard of it yet. */
    private static final long DONE = Long.MIN_VALUE;

    private static final int MOST = 1 << 28;

    private final int owner;
    private final boolean withPayloads;
    private final Map<Long, Straggler> stragglers = new HashMap<>();

    private final TimeMarks marks = new TimeMarks();

    private long[] seen;
    private Object[] ids;

    /** Null as long as all tags are 0. */
    private int[] tags;

    private Object[] payloads;
    private int mask;
    private long head;
    private long tail;

    /** A root for which there may be no room; there is for all before it. */
    private long limit;

    /** Trees that have ended, and numbers before the first tree. */
    private long ended;

    /** A tree that was set aside. */
    private static final class Straggler {
        private long seen;
        private Object id;
        private long since;
        private int tag;
        private Object payload;
    }

    /**
     * Creates a tracker.
     *
     * @param capacity trees in flight to begin with, a power of two
     * @param withPayloads whether to keep an object with each tree beside its message id
     * @param owner the executor that owns the trees
     */
    public TreeTracker(int capacity, boolean withPayloads, int owner) {
        this(capacity, withPayloads, owner, 1);
    }

    /**
     * Creates a tracker.
     *
     * @param capacity trees in flight to begin with, a power of two
     * @param withPayloads whether to keep an object with each tree beside its message id
     * @param owner the executor that owns the trees
     * @param first the root of the first tree, positive: beyond those of any tracker that this one replaces, so that what
     *     arrives late for a tree of theirs means none of these
     */
    public TreeTracker(int capacity, boolean withPayloads, int owner, long first) {
        this.withPayloads = withPayloads;
        this.owner = owner;
        this.head = first;
        this.tail = first;
        this.ended = first - 1;
        allocate(capacity);
    }

    private void allocate(int capacity) {
        seen = new long[capacity];
        ids = new Object[capacity];
        payloads = withPayloads ? new Object[capacity] : null;
        mask = capacity - 1;
        limit = head + capacity;
    }

    /** Gives back its memory. No tree is in flight, and none is to be opened. */
    public void release() {
        stragglers.clear();
        tags = null;
        allocate(1);
    }

    /** {@return number of trees in flight, those included that are complete but not closed} */
    public int inFlight() {
        return (int) (tail - 1 - ended);
    }

    /** {@return number of trees that fit in the ring} */
    public int capacity() {
        return ids.length;
    }

    /** {@return number of trees set aside} */
    public int stragglers() {
        return stragglers.size();
    }

    /**
     * Computes the edge of a message that goes to a single task.
     *
     * @param root the message's root
     * @return its edge, not zero
     */
    public long edgeOf(long root) {
        return EdgeIds.first(owner, root);
    }

    /**
     * Says what time it is for the trees that are opened from now on.
     *
     * @param nanos the time, nanoseconds
     */
    public void at(long nanos) {
        marks.add(tail, nanos, head);
    }

    /**
     * Opens a tree.
     *
     * @param messageId the spout's name for the message, not null
     * @return its root
     * @throws IllegalStateException when there are more trees than a tracker can hold
     */
    public long open(Object messageId) {
        long root = tail;
        if (root == limit) {
            makeRoom();
        }
        ids[(int) root & mask] = messageId;
        tail = root + 1;
        return root;
    }

    /**
     * Keeps a number of the caller's with a tree, for example which of the executor's tasks emitted. Right after
     * {@link #open}; without it the number is 0, if no tree ever had another.
     *
     * @param root the tree
     * @param tag the number
     */
    public void tag(long root, int tag) {
        if (tags == null) {
            tags = new int[ids.length];
        }
        tags[(int) root & mask] = tag;
    }

    /**
     * Says that a tree begins with other edges than {@link #edgeOf} its root. Right after {@link #open}.
     *
     * @param root the tree
     * @param edges its edges, XORed
     */
    public void begin(long root, long edges) {
        seen[(int) root & mask] = edges ^ edgeOf(root);
    }

    /**
     * Keeps an object with a tree. Right after {@link #open}; ignored by a tracker without payloads.
     *
     * @param root the tree
     * @param payload the object
     */
    public void keep(long root, Object payload) {
        if (payloads != null) {
            payloads[(int) root & mask] = payload;
        }
    }

    /**
     * XORs edges into a tree.
     *
     * @param root which tree
     * @param edges the edges
     * @return whether the tree is now complete; false also when it has ended before
     */
    public boolean ack(long root, long edges) {
        if (root < head) {
            return ackStraggler(root, edges);
        }
        int at = (int) root & mask;
        if (root >= tail || ids[at] == null || seen[at] == DONE) {
            return false;
        }
        long now = seen[at] ^ edges;
        boolean complete = now == edgeOf(root);
        seen[at] = complete ? DONE : now;
        return complete;
    }

    /**
     * Acks the edge that follows from the root. If that completes a tree of which nothing else was acked, which is the usual
     * case, it is closed as well.
     *
     * @param root which tree
     * @return the message id if the tree was completed and closed; null otherwise, and then {@link #ack} has to be told
     */
    public Object closeIfOnlyEdge(long root) {
        int at = (int) root & mask;
        if (root < head || root >= tail || seen[at] != 0) {
            return null;
        }
        Object id = ids[at];
        if (id != null) {
            ids[at] = null;
            if (payloads != null) {
                payloads[at] = null;
            }
            ended++;
            if (root == head) {
                head = root + 1;
            }
        }
        return id;
    }

    /**
     * Reads the caller's number of a tree that was closed just now.
     *
     * @param root the tree
     * @return its tag
     */
    public int lastTag(long root) {
        return tags == null ? 0 : tags[(int) root & mask];
    }

    /**
     * Reads when a tree that was closed just now was opened.
     *
     * @param root the tree
     * @return nanoseconds
     */
    public long lastSince(long root) {
        return marks.since(root);
    }

    private boolean ackStraggler(long root, long edges) {
        Straggler tree = stragglers.get(root);
        if (tree == null || tree.seen == DONE) {
            return false;
        }
        tree.seen ^= edges;
        if (tree.seen != edgeOf(root)) {
            return false;
        }
        tree.seen = DONE;
        return true;
    }

    /**
     * Looks for a tree.
     *
     * @param root which tree
     * @return whether it is in flight and not complete
     */
    public boolean isOpen(long root) {
        if (root < head) {
            Straggler tree = stragglers.get(root);
            return tree != null && tree.seen != DONE;
        }
        int at = (int) root & mask;
        return root < tail && ids[at] != null && seen[at] != DONE;
    }

    /**
     * Restarts the timeout of a tree, if it is open.
     *
     * @param root which tree
     * @param nanos the time, nanoseconds
     */
    public void touch(long root, long nanos) {
        if (!isOpen(root)) {
            return;
        }
        if (root < head) {
            stragglers.get(root).since = nanos;
        } else {
            marks.touch(root, nanos, ids.length);
        }
    }

    /**
     * Reads the spout's name for a message in flight.
     *
     * @param root the tree
     * @return the message id
     */
    public Object messageId(long root) {
        return root < head ? stragglers.get(root).id : ids[(int) root & mask];
    }

    /**
     * Reads what is kept with a tree in flight.
     *
     * @param root the tree
     * @return the payload; null for a tracker without payloads
     */
    public Object payload(long root) {
        if (payloads == null) {
            return null;
        }
        return root < head ? stragglers.get(root).payload : payloads[(int) root & mask];
    }

    /**
     * Reads when a tree in flight was opened or last touched.
     *
     * @param root the tree
     * @return nanoseconds
     */
    public long since(long root) {
        return root < head ? stragglers.get(root).since : marks.since(root);
    }

    /**
     * Reads the caller's number.
     *
     * @param root the tree, in flight
     * @return the tag
     */
    public int tag(long root) {
        return root < head ? stragglers.get(root).tag : lastTag(root);
    }

    /**
     * Ends a tree in flight: whatever arrives for it from now on changes nothing.
     *
     * @param root the tree
     */
    public void close(long root) {
        ended++;
        if (root < head) {
            stragglers.remove(root);
            return;
        }
        free((int) root & mask);
        advance();
    }

    /**
     * Sees to it that no open tree can complete any more, whatever is acked; they can still be closed.
     *
     * @param mark a random number, not zero, another one each time: it is acked in each tree and known to nobody else
     * @return the root that the next tree will have: those before it that are open cannot complete
     */
    public long doom(long mark) {
        for (long root = head; root < tail; root++) {
            if (isOpen(root)) {
                seen[(int) root & mask] ^= mark;
            }
        }
        for (Straggler tree : stragglers.values()) {
            if (tree.seen != DONE) {
                tree.seen ^= mark;
            }
        }
        return tail;
    }

    private void advance() {
        long first = head;
        while (first < tail && ids[(int) first & mask] == null) {
            first++;
        }
        head = first;
    }

    private void free(int at) {
        seen[at] = 0;
        ids[at] = null;
        if (payloads != null) {
            payloads[at] = null;
        }
    }

    /**
     * Finds all open trees that were neither opened nor touched since a time.
     *
     * @param notSince the time, nanoseconds
     * @param each gets their roots, oldest first; may close the tree and open others
     */
    public void forEachExpired(long notSince, LongConsumer each) {
        long[] aside =
                stragglers.keySet().stream().mapToLong(Long::longValue).sorted().toArray();
        for (long root : aside) {
            visitExpired(root, notSince, each);
        }
        marks.forEachRunBefore(notSince, head, tail, (from, to) -> {
            for (long root = from; root < to; root++) {
                visitExpired(root, notSince, each);
            }
        });
    }

    private void visitExpired(long root, long notSince, LongConsumer each) {
        if (isOpen(root) && since(root) - notSince <= 0) {
            each.accept(root);
        }
    }

    /**
     * The ring is full: of trees in flight, then it grows, or of ended ones behind a few that are not. Those set aside count as
     * well: where many trees take long, a ring that they do not fill would have all of them pass through the map.
     */
    private void makeRoom() {
        advance();
        if (tail - head == ids.length) {
            int inRing = inFlight() - stragglers.size();
            if (inRing > ids.length / 2 || inFlight() > ids.length / 4 && ids.length < MOST) {
                grow();
            } else {
                setAside(head + ids.length / 2);
            }
        }
        limit = head + ids.length;
    }

    private void setAside(long before) {
        for (long root = head; root < before; root++) {
            int at = (int) root & mask;
            if (ids[at] != null) {
                Straggler tree = new Straggler();
                tree.seen = seen[at];
                tree.id = ids[at];
                tree.since = marks.since(root);
                tree.tag = lastTag(root);
                tree.payload = payloads == null ? null : payloads[at];
                stragglers.put(root, tree);
                free(at);
            }
        }
        head = before;
        advance();
    }

    /**
     * Restarts the timeouts of all open trees that were opened or touched at a time.
     *
     * @param at that time, nanoseconds
     * @param nanos when they are to count from, nanoseconds
     */
    public void postpone(long at, long nanos) {
        marks.postpone(at, nanos);
    }

    private void grow() {
        int old = ids.length;
        if (old == MOST) {
            throw new IllegalStateException(
                    "one spout executor has " + inFlight()
                            + " messages in flight, the most it can track: set topology.max.spout.pending or use more executors");
        }
        int size = old * 2;
        seen = rearranged(seen, new long[size]);
        int[] newTags = tags == null ? null : new int[size];
        Object[] newIds = new Object[size];
        Object[] newPayloads = payloads == null ? null : new Object[size];
        for (long root = head; root < tail; root++) {
            int from = (int) root & old - 1;
            int to = (int) root & size - 1;
            if (newTags != null) {
                newTags[to] = tags[from];
            }
            newIds[to] = ids[from];
            if (newPayloads != null) {
                newPayloads[to] = payloads[from];
            }
        }
        tags = newTags;
        ids = newIds;
        payloads = newPayloads;
        mask = size - 1;
    }

    private long[] rearranged(long[] from, long[] to) {
        for (long root = head; root < tail; root++) {
            to[(int) root & to.length - 1] = from[(int) root & from.length - 1];
        }
        return to;
    }

    @Override
    public String toString() {
        return inFlight() + " in flight, " + stragglers.size() + " set aside, ring "
                + Arrays.toString(new long[] {head, tail});
    }
}
