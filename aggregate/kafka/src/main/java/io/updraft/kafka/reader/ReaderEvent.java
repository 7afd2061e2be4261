package io.updraft.kafka.reader;

import org.apache.kafka.common.TopicPartition;

/** An event of a partition, from {@link KafkaReader#poll}: records, or a change of its state, in the order of its log. */
public sealed interface ReaderEvent permits KafkaChunk, ReaderEvent.Reset, ReaderEvent.Failed {

    /** {@return the event's partition} */
    TopicPartition topicPartition();

    /**
     * The next offset is no longer in the log, or not yet: records were deleted, or the log was cut. Reading continues
     * elsewhere, as {@link ReaderConfig#outOfRange} says.
     *
     * @param topicPartition the partition
     * @param from the requested offset
     * @param to where reading continues: an offset, {@link KafkaReader#EARLIEST} or {@link KafkaReader#LATEST}
     * @param message one line: what happened, where, and what to do
     * @param cut whether records that were read are no longer in the log, so that offsets are assigned again
     */
    record Reset(TopicPartition topicPartition, long from, long to, String message, boolean cut)
            implements ReaderEvent {}

    /**
     * Reading the partition has ended. No event follows until the partition is assigned again.
     *
     * @param topicPartition the partition
     * @param offset the next offset that would have been read; -1 if unknown
     * @param message one line: what happened, where, and what to do
     * @param refused whether another attempt would fail as well: the broker denies access, or a library cannot be loaded
     */
    record Failed(TopicPartition topicPartition, long offset, String message, boolean refused) implements ReaderEvent {}
}
