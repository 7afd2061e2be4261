package io.updraft.pipeline.sink;

/**
 * How far a unit of a source is done.
 *
 * @param unit which
 * @param position everything before it has been written
 * @param closedUntil windows that end at or before this, milliseconds since 1970, take no more records
 */
public record Commit(String unit, long position, long closedUntil) {}
