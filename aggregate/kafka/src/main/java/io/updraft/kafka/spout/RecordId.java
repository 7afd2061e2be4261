package io.updraft.kafka.spout;

/** The message id of a tuple: one attempt at one record. Compared by identity. */
final class RecordId {

    final SpoutPartition.HeldChunk held;
    final int record;
    final int attempt;

    RecordId(SpoutPartition.HeldChunk held, int record, int attempt) {
        this.held = held;
        this.record = record;
        this.attempt = attempt;
    }

    /** {@return the record's topic} */
    public String topic() {
        return held.chunk.topicPartition().topic();
    }

    /** {@return the record's partition} */
    public int partition() {
        return held.chunk.topicPartition().partition();
    }

    /** {@return the record's offset} */
    public long offset() {
        return held.chunk.positions()[record];
    }

    @Override
    public String toString() {
        return held.chunk.topicPartition() + " offset " + offset() + (attempt == 0 ? "" : " attempt " + (attempt + 1));
    }
}
