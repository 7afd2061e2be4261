package io.updraft.pipeline.run;

import io.updraft.pipeline.source.Seen;
import java.util.ArrayDeque;

/**
 * What one aggregate task knows of a unit: how far its time has come, and which of its records are in windows that are still open.
 *
 * <p>Records are kept as stretches of positions, each with the end of the latest window that any record in it, or before it, is
 * in. Positions can only be committed in their order, so a stretch that would be done no later than the one before it is made a part
 * of that one; so there are never more stretches than open windows, however many records they stand for.
 */
final class UnitState {

    /** Positions before {@code to}, and from the end of the stretch before, wait for windows up to {@code lastEnd}. */
    private static final class Stretch {
        private final long from;
        private final long since;
        private final long lastEnd;

        private Stretch(long from, long lastEnd, long since) {
            this.from = from;
            this.lastEnd = lastEnd;
            this.since = since;
        }
    }

    private final ArrayDeque<Stretch> open = new ArrayDeque<>();
    private Seen handled = Seen.NONE;
    private long next;
    private long latest = Long.MIN_VALUE;
    private boolean idle;
    private boolean ended;

    UnitState(long position) {
        this.next = position;
    }

    /**
     * Records from a position on were handled, and there were none between {@code since} and those; {@code lastEnd} is the end of the
     * latest window that took one, or MIN_VALUE.
     */
    void handled(long since, long from, long to, long lastEnd, long now) {
        handled = handled.handled(since, to);
        if (lastEnd != Long.MIN_VALUE && (open.isEmpty() || open.peekLast().lastEnd < lastEnd)) {
            open.addLast(new Stretch(from, lastEnd, now));
        }
        next = Math.max(next, to);
    }

    /** All that this task was given of the unit before a position has been handled. */
    void dealt(long position) {
        next = Math.max(next, position);
    }

    /** What was handled since the last call. */
    Seen takeHandled() {
        Seen taken = handled;
        handled = Seen.NONE;
        return taken;
    }

    /** Windows that end at or before a time take no more records. */
    void forget(long until) {
        while (!open.isEmpty() && open.peekFirst().lastEnd <= until) {
            open.removeFirst();
        }
    }

    /** Everything that this task was given of the unit before this position is in no open window. */
    long done() {
        return open.isEmpty() ? next : open.peekFirst().from;
    }

    /** Since when the first record that is not done has been waiting, milliseconds since 1970; MAX_VALUE if all are done. */
    long waitingSince() {
        return open.isEmpty() ? Long.MAX_VALUE : open.peekFirst().since;
    }

    /** The end of the window that the first record that is not done waits for. */
    long waitingFor() {
        return open.isEmpty() ? Long.MIN_VALUE : open.peekFirst().lastEnd;
    }

    void sawTime(long time) {
        latest = Math.max(latest, time);
        idle = false;
    }

    /** No record for a while. That says nothing of the time of those to come. */
    void idle() {
        idle = true;
    }

    /** All records of the unit up to one of this time have been handled, by this task or others. */
    void sawTimeOfOthers(long time) {
        latest = Math.max(latest, time);
    }

    void end() {
        ended = true;
    }

    boolean isEnded() {
        return ended;
    }

    /** Whether the unit has ended and none of its records waits for a window. */
    boolean isDone() {
        return ended && open.isEmpty();
    }

    /** Whether the unit holds windows open until its time has passed them. */
    boolean isActive() {
        return !idle && !ended;
    }

    /** The latest time seen, milliseconds since 1970; MIN_VALUE if none. */
    long latest() {
        return latest;
    }
}
