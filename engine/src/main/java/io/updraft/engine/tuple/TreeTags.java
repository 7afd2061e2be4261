package io.updraft.engine.tuple;

/**
 * The number that is stored with each tree of a spout executor: the index of the task in the low bits, and the number of the
 * stream above them.
 *
 * @param taskBits number of low bits
 * @param byStream whether the number of the stream is stored, too; otherwise it is 0
 */
public record TreeTags(int taskBits, boolean byStream) {

    /**
     * {@return the layout of the tags}
     *
     * @param tasks number of tasks of the executor
     * @param byStream whether the number of the stream is stored, too
     */
    public static TreeTags of(int tasks, boolean byStream) {
        return new TreeTags(Integer.SIZE - Integer.numberOfLeadingZeros(tasks - 1), byStream);
    }

    /**
     * {@return the number to store with a tree}
     *
     * @param taskIndex the index of the task in its executor
     * @param stream the number of the stream
     */
    public int tagOf(int taskIndex, int stream) {
        return (byStream ? stream : 0) << taskBits | taskIndex;
    }

    /**
     * {@return the index of the task in its executor}
     *
     * @param tag the number of {@link #tagOf}
     */
    public int taskIndex(int tag) {
        return tag & (1 << taskBits) - 1;
    }

    /**
     * {@return the number of the stream, 0 if it is not stored}
     *
     * @param tag the number of {@link #tagOf}
     */
    public int stream(int tag) {
        return tag >>> taskBits;
    }
}
