package io.updraft.pipeline.run;

import io.updraft.pipeline.source.Seen;
import io.updraft.pipeline.source.Source;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A unit of a source of a run, from when it is opened until it is revoked. If it comes back after that, it is another.
 *
 * @param name what the source calls the unit
 * @param group the group that it is in
 * @param seen which rows of it earlier runs have done with
 * @param begin the position of the first record that was read of it; negative until there is one. It stands for a position that only says
 *     where reading is to begin, which no source can keep
 * @param end where it has come to its end, if it can be forgotten when it is done up to there; else {@link Long#MAX_VALUE}
 * @param openings how many units of its source have been opened by now, with those of which a task has not heard yet
 * @param frontier how far its records have been handled, and what time it is by them
 */
record Unit(
        String name, Group group, Seen seen, AtomicLong begin, AtomicLong end, AtomicLong openings, Frontier frontier) {

    /** One that is read from a position on. */
    Unit(String name, Group group, long position, Seen seen, AtomicLong openings) {
        this(name, group, seen, new AtomicLong(-1), new AtomicLong(Long.MAX_VALUE), openings, new Frontier(position));
    }

    /** What to commit where tasks have said that it is done up to a position; below 0 if no source can keep that yet. */
    long toCommit(long said) {
        long position = Math.min(said, end.get());
        return position < 0 ? Math.max(position, begin.get()) : position;
    }

    /** Whether it can be forgotten when it is done up to a position. */
    boolean isOver(long done) {
        return done >= end.get();
    }

    /** No two have the same frontier, so this is no other equality than that of all components; but units are looked up often. */
    @Override
    public boolean equals(Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(this);
    }

    /**
     * Units that come and go together; what is aggregated on its own if keys do not cross it.
     *
     * @param source the source's index in the plan
     * @param name what the source calls the group
     * @param opening counts how often a group of the source has been opened
     * @param claim the right to it that the source has given; may be null
     */
    record Group(int source, String name, long opening, Source.Claim claim) {}

    /** The source's index in the plan. */
    int source() {
        return group.source();
    }
}
