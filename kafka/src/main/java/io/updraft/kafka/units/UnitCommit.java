package io.updraft.kafka.units;

/**
 * What an owner says of how far a unit has come. Partitions that are not named stay where they were.
 *
 * @param ownership the right by which it is said
 * @param progress positions (the next offset to read) and metadata
 */
public record UnitCommit(Ownership ownership, Progress progress) {}
