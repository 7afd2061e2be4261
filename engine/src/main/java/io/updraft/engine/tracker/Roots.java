package io.updraft.engine.tracker;

/**
 * The layout of a root, the name of a tuple tree within the executor that owns it.
 *
 * <pre>
 *   63  62 61                                   26 25                      0
 *  +------+--------------------------------------+-------------------------+
 *  | kind |              generation              |          slot           |
 *  +------+--------------------------------------+-------------------------+
 * </pre>
 *
 * <p>The generation counts the trees that have used the slot, so that what arrives late for an earlier tree changes
 * nothing. It wraps after 2^36 trees in one slot: more than half an hour of 30 million trees a second that all used the
 * same slot, and then only a message that is late by exactly that many trees would be taken for a new one.
 *
 * <p>A root in a tuple has the kind {@link #ACK}; the other kinds occur only in batches.
 */
public final class Roots {

    /** XOR the delta into the tree. */
    public static final long ACK = 0L;

    /** Fail the tree. */
    public static final long FAIL = 1L << 62;

    /** Restart the tree's timeout. */
    public static final long RESET_TIMEOUT = 2L << 62;

    /** Bits of a slot. */
    public static final int SLOT_BITS = 26;

    /** Most trees that one executor can have in flight. */
    public static final int MAX_SLOTS = 1 << SLOT_BITS;

    private static final long KIND_MASK = 3L << 62;
    private static final long GENERATION_STEP = 1L << SLOT_BITS;

    private Roots() {}

    /**
     * Extracts the slot.
     *
     * @param root a root of any kind
     * @return its slot
     */
    public static int slot(long root) {
        return (int) root & MAX_SLOTS - 1;
    }

    /**
     * Extracts the kind.
     *
     * @param root a root of any kind
     * @return {@link #ACK}, {@link #FAIL} or {@link #RESET_TIMEOUT}
     */
    public static long kind(long root) {
        return root & KIND_MASK;
    }

    /**
     * Removes the kind.
     *
     * @param root a root of any kind
     * @return the same tree as it stands in a tuple
     */
    public static long withoutKind(long root) {
        return root & ~KIND_MASK;
    }

    /**
     * Names the first tree of a slot.
     *
     * @param slot the slot
     * @return its first root
     */
    static long first(int slot) {
        return GENERATION_STEP | slot;
    }

    /**
     * Names the next tree of the same slot.
     *
     * @param root the tree before
     * @return the next root
     */
    static long next(long root) {
        return root + GENERATION_STEP & ~KIND_MASK;
    }
}
