package io.updraft.pipeline.source;

/**
 * How far a unit of a source is done.
 *
 * @param unit which
 * @param position everything before it has been written
 * @param closedUntil windows that end at or before this, milliseconds since 1970, take no more records
 * @param claim the right to the unit's group that the source has given; null if none is needed
 */
public record Commit(String unit, long position, long closedUntil, Source.Claim claim) {

    /** How far a unit is done that nobody else can have. */
    public Commit(String unit, long position, long closedUntil) {
        this(unit, position, closedUntil, null);
    }
}
