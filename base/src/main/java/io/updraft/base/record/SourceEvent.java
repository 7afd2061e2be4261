package io.updraft.base.record;

/** Something that a source hands over: a {@link Chunk} of records of a partition, or a change of the partition's state. */
public interface SourceEvent {

    /** {@return the partition of the event} */
    String partition();
}
