package io.updraft.kafka.offset;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Knows which offsets of one partition are done: what may be committed, what failed and is due again, and what takes too long.
 *
 * <pre>
 *   offsets   ... 41  42  43  44  45  46  47 | 48
 *   pending        .   x   .   .   x   .   . |         x: emitted and not done, one bit each
 *                      ^ committable         ^ position
 * </pre>
 *
 * <p>An offset that nobody emitted (a gap: a compacted topic, the marker of a transaction) is waited for by nobody. One that failed
 * holds back the commit and nothing else: others go on until {@link #isFull}, and what is to be replayed needs no room.
 *
 * <p>Memory: a bit for each offset between the first that is pending and the last, in pages of 1,024, and 40 bytes for a page all
 * of which is done; a million in flight take less than a quarter of a megabyte. An offset that has failed takes some hundred bytes
 * more until it is done.
 *
 * <p>Time is passed in, in nanoseconds as of {@link System#nanoTime}. Threads: one.
 */
public final class OffsetTracker {

    /** As a result: there is none. */
    public static final long NONE = -1;

    private final String partition;
    private final long window;
    private final Pages pages = new Pages();
    private final EmissionTimes times = new EmissionTimes();
    private final Retries retries;
    private final TreeMap<Long, Sighting> sightings = new TreeMap<>();
    private long position;

    /** Up to {@code to}, offsets were last seen there. */
    private record Sighting(long to, String stage) {}

    /** What becomes of an offset that failed. */
    public enum Verdict {
        /** It will be due again. */
        RETRY,
        /** Its retries are used up. It stays pending until whoever writes dead letters has done so, and says {@link #done}. */
        DEAD,
        /** It is not pending, or a later attempt is on its way: nothing changes. */
        IGNORED
    }

    /**
     * Makes a tracker of which nothing is pending.
     *
     * @param partition the partition's name, for alarms
     * @param start the first offset
     * @param window how many emitted offsets, done or not, may wait for the first of them that is not: so many may be read twice
     *     after a crash
     * @param policy how often what failed is tried again
     */
    public OffsetTracker(String partition, long start, long window, RetryPolicy policy) {
        if (window <= 0) {
            throw new IllegalArgumentException("the window of " + partition + " must be positive, not " + window);
        }
        this.partition = partition;
        this.position = start;
        this.window = window;
        this.retries = new Retries(policy);
    }

    /**
     * Offsets are on their way, all of a range.
     *
     * @param from the first; not before {@link #position}
     * @param to the one after the last
     * @param now the time
     */
    public void emitted(long from, long to, long now) {
        if (from < position || to < from) {
            throw new IllegalArgumentException("offsets [" + from + ", " + to + ") of " + partition + " do not follow "
                    + position + ", up to which all is known");
        }
        if (to > from) {
            pages.emit(from, to);
            times.emitted(from, now);
        }
        position = to;
    }

    /**
     * One offset is on its way.
     *
     * @param offset it; not before {@link #position}
     * @param now the time
     */
    public void emitted(long offset, long now) {
        emitted(offset, offset + 1, now);
    }

    /**
     * All offsets before one are known: those that were not emitted never will be, as they are not in the log.
     *
     * @param to the next offset to expect; one before {@link #position} is ignored
     */
    public void advance(long to) {
        position = Math.max(position, to);
    }

    /**
     * An offset is done, by whichever attempt.
     *
     * @param offset it
     * @return whether it was pending; false for one that is done already, was never emitted, or lies before the start
     */
    public boolean done(long offset) {
        if (!pages.done(offset)) {
            return false;
        }
        retries.forget(offset);
        return true;
    }

    /**
     * All of a range is done.
     *
     * @param from the first
     * @param to the one after the last
     */
    public void done(long from, long to) {
        if (retries.isEmpty()) {
            pages.done(from, to);
            return;
        }
        for (long offset = pages.firstPending(from);
                offset != NONE && offset < to;
                offset = pages.firstPending(offset + 1)) {
            done(offset);
        }
    }

    /**
     * An attempt has failed.
     *
     * @param offset of which offset
     * @param attempt which, from 0; that of an earlier one than the newest is ignored
     * @param now the time
     * @return what becomes of it
     */
    public Verdict failed(long offset, int attempt, long now) {
        return pages.isPending(offset) ? retries.failed(offset, attempt, now) : Verdict.IGNORED;
    }

    /**
     * The newest attempt has failed.
     *
     * @param offset of which offset
     * @param now the time
     * @return what becomes of it
     */
    public Verdict failed(long offset, long now) {
        return failed(offset, retries.attempt(offset), now);
    }

    /**
     * Takes the next offset that is to be emitted again; a full window is no reason not to.
     *
     * @param now the time
     * @return the one that is due longest; {@link #NONE} if none is due
     */
    public long replay(long now) {
        return retries.next(now);
    }

    /**
     * Tells which attempt is on its way, or due next.
     *
     * @param offset of which offset
     * @return from 0; the number of failures
     */
    public int attempt(long offset) {
        return retries.attempt(offset);
    }

    /** {@return how many offsets have failed and wait to be due, or to be taken by {@link #replay}} */
    public int waiting() {
        return retries.waiting();
    }

    /**
     * Tells whether an offset has failed and waits to be due, or to be taken by {@link #replay}.
     *
     * @param offset which
     * @return whether it waits
     */
    public boolean isWaiting(long offset) {
        return retries.isWaiting(offset);
    }

    /** {@return the offset that a commit may name: all before it are done, or not in the log} */
    public long committable() {
        long first = pages.firstPending();
        long committable = first == NONE ? position : first;
        times.forget(committable);
        return committable;
    }

    /** {@return the offset after the last one that is known} */
    public long position() {
        return position;
    }

    /** {@return how many offsets were emitted and are not done} */
    public long pending() {
        return pages.pending();
    }

    /** {@return how many emitted offsets, done or not, wait for the first that is not; give or take a thousand} */
    public long uncommitted() {
        return pages.emitted();
    }

    /** {@return whether no more should be emitted until the first pending offset is done: back-pressure} */
    public boolean isFull() {
        return pages.emitted() >= window;
    }

    /**
     * Offsets have come somewhere, for the alarm if they do not get on.
     *
     * @param from the first
     * @param to the one after the last
     * @param stage the place, such as the name of a component
     */
    public void seen(long from, long to, String stage) {
        long done = committable();
        while (!sightings.isEmpty() && sightings.firstEntry().getValue().to() <= done) {
            sightings.pollFirstEntry();
        }
        if (to > done) {
            sightings.put(from, new Sighting(to, stage));
        }
    }

    /**
     * Finds what takes too long.
     *
     * @param now the time
     * @param limitNanos how long an offset may be pending, nanoseconds
     * @param most how many to name at most
     * @return the first ones, by offset; empty if all is well
     */
    public List<Overdue> overdue(long now, long limitNanos, int most) {
        long first = pages.firstPending();
        times.forget(first == NONE ? position : first);
        long before = times.firstAfter(now - limitNanos);
        List<Overdue> overdue = new ArrayList<>();
        for (long offset = first;
                offset != NONE && offset < before && overdue.size() < most;
                offset = pages.firstPending(offset + 1)) {
            overdue.add(new Overdue(partition, offset, now - times.of(offset), attempt(offset), lastSeen(offset)));
        }
        return overdue;
    }

    private String lastSeen(long offset) {
        Map.Entry<Long, Sighting> sighting = sightings.floorEntry(offset);
        return sighting == null || sighting.getValue().to() <= offset
                ? null
                : sighting.getValue().stage();
    }

    @Override
    public String toString() {
        return partition + ": committable " + committable() + ", position " + position + ", pending " + pending();
    }
}
