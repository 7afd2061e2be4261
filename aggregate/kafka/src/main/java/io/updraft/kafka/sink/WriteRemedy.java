package io.updraft.kafka.sink;

/** What to do about results that could not be committed. */
public enum WriteRemedy {
    /** Nothing took effect. {@code commit} may be called again, with the same or with other results. */
    TRY_AGAIN,
    /** Nothing took effect. The results can be committed without the records of {@link WriteException#refusals}. */
    LEAVE_OUT,
    /** Nothing took effect. The same results would be refused again. */
    GIVE_UP,
    /**
     * The outcome is not known yet. Call {@code commit} again with the same results, and commit nothing else until that call
     * has returned.
     */
    ASK_AGAIN,
    /** The outcome is not known and never will be. Leave the group, join it again, and read on from the committed positions. */
    REJOIN
}
