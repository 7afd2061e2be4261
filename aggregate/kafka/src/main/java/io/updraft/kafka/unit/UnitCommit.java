package io.updraft.kafka.unit;

/**
 * A commit of a unit's progress by its owner. Partitions that are not named keep their positions.
 *
 * @param ownership the ownership of the unit
 * @param progress positions (the next offset to read) and metadata
 */
public record UnitCommit(UnitOwnership ownership, UnitProgress progress) {}
