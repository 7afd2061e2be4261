package io.updraft.engine.tuple;

import java.util.function.LongConsumer;

/**
 * Tracks the tuple trees that one spout executor has in flight.
 *
 * <p>The algorithm is Storm's (N. Marz, "Guaranteeing message processing"). Each edge of a tree has a 64-bit id. The id is
 * XORed into the tree when the tuple is created and again when it is acked, so the tree is complete when the result is zero.
 * Storm keeps the trees in hash maps of acker tasks. Here they are kept in a ring, in the order in which they were opened:
 *
 * <pre>
 *                 head                          tail
 *   seen    [      | x0 | 0  | x2 | DONE | 0  |      ]    XOR of the edges acked so far; see below
 *   ids     [      | m0 | m1 | m2 | m3   | m4 |      ]    the message ids of the spout; null when ended
 *   marks             t0             t1                   nanoseconds; trees from here on were opened at this time
 * </pre>
 *
 * <p>The root identifies a tree in tuples and acks. It is the number of the tree since the start, so the tree's position is
 * {@code root & mask}. An ack that arrives late for an ended tree has a root below the head, or finds no message id. No number
 * is ever used twice.
 *
 * <p>The edge of a message with a single target task is derived from its root ({@link #edgeOf}), so opening the tree stores no
 * edge. A tree is complete when the XOR of its acked edges equals that edge. A message with several target tasks starts with
 * the difference.
 *
 * <p>A tree that stays in flight while all others come and go would block the head. When the ring has room for four times the
 * trees in flight and is still full of ended trees, the few open ones are moved to a map.
 *
 * <p>A turn of a spout opens many trees at the same time, so the time is kept for runs of trees. Only a tree whose timeout was
 * restarted has its own time.
 *
 * <p>Used by one thread at a time, the one that runs the spout executor. Grows as needed and never shrinks.
 */
public final class TreeTracker {

    /** Marks a complete tree of which the spout has not been notified yet. */
    static final long DONE = Long.MIN_VALUE;

    private static final int MAX_TREES = 1 << 28;

    private final int owner;
    private final boolean withPayloads;
    private final OldTrees oldTrees = new OldTrees();

    private final TimeMarks marks = new TimeMarks();

    private long[] seen;
    private Object[] ids;

    /** Null while all tags are 0. */
    private int[] tags;

    private Object[] payloads;
    private int mask;
    private long head;
    private long tail;

    /** There is room for all roots below this one. */
    private long limit;

    /** Number of ended trees, plus the numbers before the first tree. */
    private long ended;

    /**
     * Creates a tracker.
     *
     * @param capacity initial number of trees that fit in the ring, a power of two
     * @param withPayloads whether to keep an object with each tree beside its message id
     * @param owner the executor that owns the trees
     * @param first the root of the first tree, positive. It must be greater than all roots of the trackers that this one
     *     replaces. A late ack for one of their trees then matches no tree of this tracker
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

    /** Releases the memory. Call this only when no tree is in flight and none will be opened. */
    void release() {
        oldTrees.clear();
        tags = null;
        allocate(1);
    }

    /** Returns the number of trees in flight, including complete trees that are not closed. */
    int inFlight() {
        return (int) (tail - 1 - ended);
    }

    /** Returns the number of trees in the map instead of the ring. */
    int oldTrees() {
        return oldTrees.size();
    }

    /** {@return the number of trees that fit in the ring} */
    public int capacity() {
        return ids.length;
    }

    /** Returns the edge of a message with a single target task, not zero. */
    long edgeOf(long root) {
        return EdgeIds.first(owner, root);
    }

    /**
     * Opens a tree.
     *
     * @param messageId the message id of the spout, not null
     * @return the root of the tree
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
     * Stores a number of the caller with a tree, for example the emitting task. Call this right after {@link #open}. Without a
     * call the number is 0 if no tree ever had another number.
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
     * Sets the initial edges of a tree when they differ from {@link #edgeOf} its root. Call this right after {@link #open}.
     *
     * @param root the tree
     * @param edges the XOR of its edges
     */
    public void begin(long root, long edges) {
        seen[(int) root & mask] = edges ^ edgeOf(root);
    }

    /**
     * Stores an object with a tree. Call this right after {@link #open}. Ignored by a tracker without payloads.
     *
     * @param root the tree
     * @param payload the object
     */
    public void keep(long root, Object payload) {
        if (payloads != null) {
            payloads[(int) root & mask] = payload;
        }
    }

    /** XORs edges into a tree. Returns whether this completes the tree; false if the tree had already ended. */
    boolean ack(long root, long edges) {
        if (root < head) {
            return oldTrees.ack(root, edges, edgeOf(root));
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
     * Acks the edge derived from the root. In the usual case no other edge was acked, so the tree is complete and is closed at
     * once. Returns the message id then; otherwise null, and the caller must call {@link #ack}.
     */
    Object closeIfOnlyEdge(long root) {
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

    /** Returns the caller's number of the tree closed last. */
    int lastTag(long root) {
        return tags == null ? 0 : tags[(int) root & mask];
    }

    /** Returns whether a tree is in flight and not complete. */
    boolean isOpen(long root) {
        if (root < head) {
            return oldTrees.isOpen(root);
        }
        int at = (int) root & mask;
        return root < tail && ids[at] != null && seen[at] != DONE;
    }

    /** Returns the message id of a tree in flight. */
    Object messageId(long root) {
        return root < head ? oldTrees.get(root).id : ids[(int) root & mask];
    }

    /** Returns the object stored with a tree in flight; null for a tracker without payloads. */
    Object payload(long root) {
        if (payloads == null) {
            return null;
        }
        return root < head ? oldTrees.get(root).payload : payloads[(int) root & mask];
    }

    /** Returns the caller's number of a tree in flight. */
    int tag(long root) {
        return root < head ? oldTrees.get(root).tag : lastTag(root);
    }

    /** Returns the XOR of the open edges of a tree in flight: the edge itself, if there is only one. */
    long openEdges(long root) {
        return edgeOf(root) ^ (root < head ? oldTrees.get(root).seen() : seen[(int) root & mask]);
    }

    /** Returns a root that is not greater than that of any open tree, and that of an open tree if there are oldTrees. */
    long first() {
        return oldTrees.size() > 0 ? oldTrees.first() : head;
    }

    /** Ends a tree in flight. Later acks and fails for the tree have no effect. */
    void close(long root) {
        ended++;
        if (root < head) {
            oldTrees.remove(root);
            return;
        }
        free((int) root & mask);
        advance();
    }

    /**
     * Makes all open trees unable to complete, whatever is acked. They can still be closed.
     *
     * @param mark a random number, not zero, different for each call, that no tuple has as an edge
     * @return the root of the next tree; open trees with lower roots cannot complete
     */
    long invalidate(long mark) {
        for (long root = head; root < tail; root++) {
            if (isOpen(root)) {
                seen[(int) root & mask] ^= mark;
            }
        }
        oldTrees.invalidate(mark);
        return tail;
    }

    /** Sets the opening time, nanoseconds, of the trees that are opened from now on. */
    void at(long nanos) {
        marks.add(tail, nanos, head);
    }

    /** Restarts the timeout of a tree, if it is open. */
    void touch(long root, long nanos) {
        if (isOpen(root)) {
            if (root < head) {
                oldTrees.get(root).since = nanos;
            } else {
                marks.touch(root, nanos, ids.length);
            }
        }
    }

    /** Returns the time at which a tree in flight was opened or last touched, nanoseconds. */
    long since(long root) {
        return root < head ? oldTrees.get(root).since : marks.since(root);
    }

    /** Returns the time at which the tree closed last was opened. */
    long lastSince(long root) {
        return marks.since(root);
    }

    /** Restarts at another time the timeouts of all open trees that were opened or touched at a given time. */
    void postpone(long at, long nanos) {
        marks.postpone(at, nanos);
    }

    /** Visits all open trees neither opened nor touched since a time, oldest first. The visitor may close and open trees. */
    void forEachExpired(long notSince, LongConsumer each) {
        for (long root : oldTrees.roots()) {
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
     * Makes room in a full ring. If it is full of trees in flight, the ring grows. If it is full of ended trees behind a few
     * open ones, the open ones move to the map. Trees in the map count as well: where many trees take long, a ring that they do
     * not fill would send all of them through the map.
     */
    private void makeRoom() {
        advance();
        if (tail - head == ids.length) {
            int inRing = inFlight() - oldTrees.size();
            if (inRing > ids.length / 2 || inFlight() > ids.length / 4 && ids.length < MAX_TREES) {
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
                Object payload = payloads == null ? null : payloads[at];
                oldTrees.add(root, seen[at], ids[at], marks.since(root), lastTag(root), payload);
                free(at);
            }
        }
        head = before;
        advance();
    }

    private void grow() {
        int old = ids.length;
        if (old == MAX_TREES) {
            throw new IllegalStateException("one spout executor has " + inFlight()
                    + " messages in flight, the maximum: set topology.max.spout.pending or use more executors");
        }
        int size = old * 2;
        seen = moved(seen, new long[size], old);
        ids = moved(ids, new Object[size], old);
        tags = tags == null ? null : moved(tags, new int[size], old);
        payloads = payloads == null ? null : moved(payloads, new Object[size], old);
        mask = size - 1;
    }

    /** Copies the trees in flight from an array to a larger one of the same kind, where they have other positions. */
    private <T> T moved(T from, T to, int old) {
        int first = (int) head & old - 1;
        int untilEnd = Math.min(old - first, (int) (tail - head));
        int size = old * 2;
        System.arraycopy(from, first, to, (int) head & size - 1, untilEnd);
        long wrapped = head + untilEnd;
        System.arraycopy(from, 0, to, (int) wrapped & size - 1, (int) (tail - wrapped));
        return to;
    }
}
