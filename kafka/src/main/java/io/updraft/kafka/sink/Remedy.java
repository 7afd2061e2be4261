package io.updraft.kafka.sink;

/** What to do about results that could not be committed. */
public enum Remedy {
    /** Nothing took effect and all that was written is kept: {@code commit} may be called again with the same. */
    TRY_AGAIN,
    /** Nothing took effect and what was written is dropped: read again from the last commit, or give up. */
    REPLAY,
    /**
     * It is not known whether it took effect: ask anew for the committed positions, by leaving and joining again, and read
     * from there.
     */
    REJOIN
}
