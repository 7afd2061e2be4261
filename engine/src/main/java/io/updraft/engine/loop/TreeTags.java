package io.updraft.engine.loop;

/**
 * The number that is stored with each tree of a spout executor: the index of the task in the low bits, and the number of the
 * stream above them.
 *
 * @param taskBits number of low bits
 * @param byStream whether the number of the stream is stored, too; otherwise it is 0
 */
record TreeTags(int taskBits, boolean byStream) {

    static TreeTags of(int tasks, boolean byStream) {
        return new TreeTags(Integer.SIZE - Integer.numberOfLeadingZeros(tasks - 1), byStream);
    }

    int tagOf(int taskIndex, int stream) {
        return (byStream ? stream : 0) << taskBits | taskIndex;
    }

    int taskIndex(int tag) {
        return tag & (1 << taskBits) - 1;
    }

    int stream(int tag) {
        return tag >>> taskBits;
    }
}
