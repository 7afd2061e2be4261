package io.updraft.pipeline.source;

/**
 * How far a unit of a source is done.
 *
 * @param unit which
 * @param position everything before it has been written
 * @param closedUntil windows that end at or before this, milliseconds since 1970, take no more records; {@link Long#MIN_VALUE} if there
 *     are none
 * @param seen which rows from the position on are in those windows, or were late for them: those that are not are late when they come
 * @param claim the right to the unit's group that the source has given; null if none is needed
 */
public record Commit(String unit, long position, long closedUntil, Seen seen, Source.Claim claim) {

    /** Older versions kept the end of time at the end of the input; what windows they have written then, nobody knows. */
    public Commit {
        if (closedUntil == Long.MAX_VALUE) {
            closedUntil = Long.MIN_VALUE;
        }
    }

    /**
     * What is left of it when the log was cut.
     *
     * @param cut records from this position on are gone, and others may have taken their place; below 0 for all
     */
    public Commit before(long cut) {
        return new Commit(unit, Math.min(position, cut), closedUntil, seen.before(cut), claim);
    }

    /** How far a unit is done that nobody else can have. */
    public Commit(String unit, long position, long closedUntil, Seen seen) {
        this(unit, position, closedUntil, seen, null);
    }

    /** How far a unit is done that nobody else can have, and from there on nothing of it is. */
    public Commit(String unit, long position, long closedUntil) {
        this(unit, position, closedUntil, Seen.NONE, null);
    }
}
