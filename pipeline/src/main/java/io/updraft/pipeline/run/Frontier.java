package io.updraft.pipeline.run;

import java.util.HashMap;
import java.util.Map;

/**
 * How far the records of a unit have been handled without a gap, by whichever tasks, and the latest time of a row among them. That is the
 * time of the unit: where its records are dealt to several tasks, none of these can tell it alone, since one that gets no record does not
 * know how far the others are. Any thread.
 */
final class Frontier {

    private record Piece(long to, long latest) {}

    // Guarded by this.
    private final Map<Long, Piece> ahead = new HashMap<>();
    private long dealt;
    private long position;
    private long latest = Long.MIN_VALUE;

    /** Nothing was dealt yet of a unit that is read from a position on. */
    Frontier(long begin) {
        dealt = begin;
        position = begin;
    }

    /** Records up to a position are about to be given to tasks. */
    synchronized void dealt(long to) {
        dealt = to;
    }

    /**
     * A task has handled the records between two positions, or will not.
     *
     * @param since the position up to which records had been dealt before these
     * @param to the one up to which they had been dealt with these
     * @param time of the latest row of these, or of any before
     */
    synchronized void handled(long since, long to, long time) {
        if (since == to) {
            return;
        }
        ahead.put(since, new Piece(to, time));
        for (Piece next = ahead.remove(position); next != null; next = ahead.remove(position)) {
            position = next.to;
            latest = Math.max(latest, next.latest);
        }
    }

    /** The latest time of a row before which there is no gap, milliseconds since 1970; {@link Long#MIN_VALUE} if there is none. */
    synchronized long latest() {
        return latest;
    }

    /** Whether all that was dealt has been handled. */
    synchronized boolean isComplete() {
        return position == dealt;
    }
}
