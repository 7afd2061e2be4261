package io.updraft.kafka.spout;

/** The message id of a tuple: one attempt at one record. Compared by identity. */
public final class RecordId {

    final SpoutPartition.HeldBatch held;
    final int record;
    final int attempt;

    RecordId(SpoutPartition.HeldBatch held, int record, int attempt) {
        this.held = held;
        this.record = record;
        this.attempt = attempt;
    }

    /** {@return the record's topic} */
    public String topic() {
        return held.batch.partition().topic();
    }

    /** {@return the record's partition} */
    public int partition() {
        return held.batch.partition().partition();
    }

    /** {@return the record's offset} */
    public long offset() {
        return held.batch.offsets()[record];
    }

    /** {@return the number of failures before this attempt} */
    public int attempt() {
        return attempt;
    }

    @Override
    public String toString() {
        return held.batch.partition() + " offset " + offset() + (attempt == 0 ? "" : " attempt " + (attempt + 1));
    }
}
