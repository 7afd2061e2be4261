package io.updraft.kafka.sink;

/** What to do about results that could not be committed. */
public enum Remedy {
    /** Nothing took effect and all that was written is kept: {@code commit} may be called again with the same. */
    TRY_AGAIN,
    /** Nothing took effect and what was written is dropped: read again from the last commit, or give up. */
    REPLAY,
    /**
     * Kafka has not said yet whether it took effect, and still may: call {@code commit} again with the same, and write nothing before
     * that has returned.
     */
    ASK_AGAIN,
    /**
     * It is not known whether it took effect, and never will be: ask anew for the committed positions, by leaving and joining again, and read
     * from there.
     */
    REJOIN
}
