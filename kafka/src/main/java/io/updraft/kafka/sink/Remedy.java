package io.updraft.kafka.sink;

/** What to do about results that could not be committed. */
public enum Remedy {
    /** Nothing took effect: {@code commit} may be called again, with the same or with others. */
    TRY_AGAIN,
    /** Nothing took effect, and the same would be refused again. */
    GIVE_UP,
    /** It is not known yet what took effect: call {@code commit} again with the same, and with nothing else before that has returned. */
    ASK_AGAIN,
    /**
     * It is not known whether it took effect, and never will be: ask anew for the committed positions, by leaving and joining again, and read
     * from there.
     */
    REJOIN
}
