package io.updraft.engine.tracker;

import java.util.Arrays;

/**
 * Knows the tuple trees that one spout executor has in flight.
 *
 * <p>The algorithm is Storm's (N. Marz, "Guaranteeing message processing"): each edge of a tree has a random 64-bit id
 * that is XORed into the tree when the tuple is created and again when it is acked, so that the tree is complete when its
 * value is zero. Storm keeps the values in hash maps of acker tasks; here a tree is a slot of an array, four longs in one
 * half of a cache line:
 *
 * <pre>
 *   cells  [ root | xor | since (ns) | tag ]  [ root | ...      messageIds [ id0 | id1 | ...
 * </pre>
 *
 * <p>Free slots are reused last in, first out: with few trees in flight the same few cache lines stay hot.
 *
 * <p>Used by one thread at a time, the one that runs the spout executor. Grows as needed and never shrinks.
 */
public final class TreeTracker {

    /** No slot. */
    public static final int NONE = -1;

    private static final int ROOT = 0;
    private static final int XOR = 1;
    private static final int SINCE = 2;
    private static final int TAG = 3;
    private static final int STRIDE_SHIFT = 2;

    /** Set in the tag cell of a slot in use. */
    private static final long IN_USE = 1L << 32;

    private long[] cells;
    private Object[] messageIds;
    private Object[] payloads;
    private int[] free;
    private int freeCount;
    private int inFlight;

    /**
     * Creates a tracker.
     *
     * @param initialSlots slots to begin with, at least 1
     * @param withPayloads whether to keep an object with each tree beside its message id
     */
    public TreeTracker(int initialSlots, boolean withPayloads) {
        cells = new long[0];
        messageIds = new Object[0];
        payloads = withPayloads ? new Object[0] : null;
        free = new int[0];
        growTo(initialSlots);
    }

    /** {@return number of trees in flight} */
    public int inFlight() {
        return inFlight;
    }

    /** {@return number of slots, used and free} */
    public int capacity() {
        return messageIds.length;
    }

    /**
     * Opens a tree. It cannot complete before {@link #commit}.
     *
     * @return its slot
     * @throws IllegalStateException when {@link Roots#MAX_SLOTS} trees are in flight
     */
    public int open() {
        if (freeCount == 0) {
            growTo(messageIds.length * 2);
        }
        inFlight++;
        return free[--freeCount];
    }

    /**
     * Gives the root of a tree in flight.
     *
     * @param slot its slot
     * @return its root
     */
    public long root(int slot) {
        return cells[slot << STRIDE_SHIFT];
    }

    /**
     * Fills in an opened tree.
     *
     * @param slot its slot
     * @param messageId the spout's name for the message
     * @param payload what else to keep; ignored by a tracker without payloads
     * @param xor the edges created so far
     * @param nanos the time, nanoseconds
     * @param tag a number of the caller's, for example which of the executor's tasks emitted
     */
    public void commit(int slot, Object messageId, Object payload, long xor, long nanos, int tag) {
        int cell = slot << STRIDE_SHIFT;
        cells[cell + XOR] = xor;
        cells[cell + SINCE] = nanos;
        cells[cell + TAG] = tag | IN_USE;
        messageIds[slot] = messageId;
        if (payloads != null) {
            payloads[slot] = payload;
        }
    }

    /**
     * XORs edges into a tree. When that completes it, nothing that arrives later counts; its message is kept until
     * {@link #close}.
     *
     * @param root which tree, of kind {@link Roots#ACK}
     * @param delta the edges
     * @return the slot when the tree is now complete, else {@link #NONE}; also when the tree has ended before
     */
    public int ack(long root, long delta) {
        long[] c = cells;
        int slot = Roots.slot(root);
        int cell = slot << STRIDE_SHIFT;
        if (cell >= c.length || c[cell + ROOT] != root) {
            return NONE;
        }
        long xor = c[cell + XOR] ^ delta;
        c[cell + XOR] = xor;
        if (xor != 0) {
            return NONE;
        }
        c[cell + ROOT] = Roots.next(root);
        return slot;
    }

    /**
     * Finds a tree in flight.
     *
     * @param root which tree, of kind {@link Roots#ACK}
     * @return its slot, or {@link #NONE} when the tree has ended before
     */
    public int find(long root) {
        int slot = Roots.slot(root);
        return slot < messageIds.length && root(slot) == root && isInUse(slot) ? slot : NONE;
    }

    /**
     * Restarts the timeout of a tree.
     *
     * @param root which tree, of kind {@link Roots#ACK}
     * @param nanos the time, nanoseconds
     */
    public void touch(long root, long nanos) {
        int slot = find(root);
        if (slot != NONE) {
            cells[(slot << STRIDE_SHIFT) + SINCE] = nanos;
        }
    }

    /**
     * Reads the spout's name for a message in flight.
     *
     * @param slot its slot
     * @return the message id
     */
    public Object messageId(int slot) {
        return messageIds[slot];
    }

    /**
     * Reads what is kept with a tree.
     *
     * @param slot its slot
     * @return the payload; null for a tracker without payloads
     */
    public Object payload(int slot) {
        return payloads == null ? null : payloads[slot];
    }

    /**
     * Reads when a tree was opened or last touched.
     *
     * @param slot its slot
     * @return nanoseconds
     */
    public long since(int slot) {
        return cells[(slot << STRIDE_SHIFT) + SINCE];
    }

    /**
     * Reads the caller's number.
     *
     * @param slot its slot
     * @return the tag
     */
    public int tag(int slot) {
        return (int) cells[(slot << STRIDE_SHIFT) + TAG];
    }

    /**
     * Ends a tree: whatever arrives for it from now on changes nothing.
     *
     * @param slot its slot
     */
    public void close(int slot) {
        int cell = slot << STRIDE_SHIFT;
        cells[cell + ROOT] = Roots.next(cells[cell + ROOT]);
        cells[cell + TAG] = 0;
        messageIds[slot] = null;
        if (payloads != null) {
            payloads[slot] = null;
        }
        free[freeCount++] = slot;
        inFlight--;
    }

    /**
     * Finds the next tree that was neither opened nor touched since a time.
     *
     * @param from the slot to begin with; to find all, call again with the result plus one
     * @param notSince the time, nanoseconds
     * @return its slot, or {@link #NONE} when there is no more
     */
    public int nextExpired(int from, long notSince) {
        for (int slot = from; slot < messageIds.length; slot++) {
            if (isInUse(slot) && since(slot) - notSince <= 0) {
                return slot;
            }
        }
        return NONE;
    }

    /**
     * Restarts the timeouts of all trees that were opened or touched at a time.
     *
     * @param since that time, nanoseconds
     * @param nanos when they are to count from, nanoseconds
     */
    public void postpone(long since, long nanos) {
        for (int slot = 0; slot < messageIds.length; slot++) {
            if (isInUse(slot) && since(slot) == since) {
                cells[(slot << STRIDE_SHIFT) + SINCE] = nanos;
            }
        }
    }

    private boolean isInUse(int slot) {
        return (cells[(slot << STRIDE_SHIFT) + TAG] & IN_USE) != 0;
    }

    private void growTo(int slots) {
        int old = messageIds.length;
        if (old == Roots.MAX_SLOTS) {
            throw new IllegalStateException(
                    "one spout executor has " + old
                            + " messages in flight, the most it can track: set topology.max.spout.pending or use more executors");
        }
        cells = Arrays.copyOf(cells, slots << STRIDE_SHIFT);
        messageIds = Arrays.copyOf(messageIds, slots);
        if (payloads != null) {
            payloads = Arrays.copyOf(payloads, slots);
        }
        free = Arrays.copyOf(free, slots);
        for (int slot = slots - 1; slot >= old; slot--) {
            cells[slot << STRIDE_SHIFT] = Roots.first(slot);
            free[freeCount++] = slot;
        }
    }
}
