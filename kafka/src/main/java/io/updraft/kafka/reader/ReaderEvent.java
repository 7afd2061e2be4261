package io.updraft.kafka.reader;

import org.apache.kafka.common.TopicPartition;

/** What {@link KafkaReader#poll} gives: records of a partition, or something that has happened to it, in the order of its log. */
public sealed interface ReaderEvent permits RecordBatch, ReaderEvent.Reset, ReaderEvent.Failed {

    /** {@return the partition that it is about} */
    TopicPartition partition();

    /**
     * The offset to be read next was not in the log any more, or not yet (records were deleted, or the log was cut), and reading goes
     * on elsewhere, as {@link ReaderConfig#outOfRange} says.
     *
     * @param partition the partition
     * @param from the offset that was asked for
     * @param to where reading goes on: an offset, {@link KafkaReader#EARLIEST} or {@link KafkaReader#LATEST}
     * @param message one line for people: what happened, where, and what to do
     * @param cut whether records that were read are no longer those of the log, so that offsets come again
     */
    record Reset(TopicPartition partition, long from, long to, String message, boolean cut) implements ReaderEvent {}

    /**
     * The partition is not read any more; nothing follows until it is assigned again.
     *
     * @param partition the partition
     * @param offset the next offset that would have been read; -1 if unknown
     * @param message one line for people: what happened, where, and what to do
     * @param refused whether the broker does not allow it, which is a matter of rights and not of this partition
     */
    record Failed(TopicPartition partition, long offset, String message, boolean refused) implements ReaderEvent {}
}
