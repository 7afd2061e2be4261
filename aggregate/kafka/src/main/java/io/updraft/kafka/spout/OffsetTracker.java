package io.updraft.kafka.spout;

import io.updraft.kafka.spout.OffsetTracker.Verdict;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Tracks which offsets of one partition are done. It computes the offset to commit, schedules replays of failed offsets, and
 * reports offsets that take too long.
 *
 * <pre>
 *   offsets   ... 41  42  43  44  45  46  47 | 48
 *   pending        .   x   .   .   x   .   . |         x: emitted and not done, one bit each
 *                      ^ committable         ^ position
 * </pre>
 *
 * <p>An offset that was not emitted (a gap of a compacted topic, a transaction marker) does not hold back the commit. A failed
 * offset holds back the commit and nothing else: other offsets continue until {@link #isFull}. A replay needs no capacity.
 *
 * <p>Memory: a bit for each offset between the first that is pending and the last, in pages of 1,024, and 40 bytes for a page
 * that is done. A million offsets in flight take less than a quarter of a megabyte. A failed offset takes some hundred bytes
 * more until it is done.
 *
 * <p>The caller passes the time, in nanoseconds as of {@link System#nanoTime}. Not thread-safe: one thread at a time.
 */
final class OffsetTracker {

    /** Returned in place of an offset if there is none. */
    public static final long NONE = -1;

    private final String partition;
    private final long window;
    private final OffsetPages pages = new OffsetPages();
    private final EmissionTimes times = new EmissionTimes();
    private final OffsetRetries retries;
    private final TreeMap<Long, Sighting> sightings = new TreeMap<>();
    private long position;

    /** Offsets before {@code to} were last seen at {@code stage}. */
    private record Sighting(long to, String stage) {}

    /** The outcome of a failed attempt. */
    public enum Verdict {
        /** The offset will be replayed. */
        RETRY,
        /** The retries are used up. The offset stays pending until its dead letter is written and {@link #done} is called. */
        DEAD,
        /** The offset is not pending, or a later attempt is in flight. Nothing changes. */
        IGNORED
    }

    /**
     * Creates a tracker without pending offsets.
     *
     * @param partition the partition's name, for messages
     * @param window the most emitted offsets, done or not, from the first pending one on; also the most records read twice
     *     after a crash
     * @param policy how often and when failed offsets are replayed
     */
    public OffsetTracker(String partition, long start, long window, PartitionSpoutConfig.RetryPolicy policy) {
        if (window <= 0) {
            throw new IllegalArgumentException("the window of " + partition + " must be positive, not " + window);
        }
        this.partition = partition;
        this.position = start;
        this.window = window;
        this.retries = new OffsetRetries(policy);
    }

    /** Registers the offsets {@code [from, to)} as emitted. They must not lie before {@link #position}. */
    public void emitted(long from, long to, long now) {
        if (from < position || to < from) {
            throw new IllegalArgumentException("offsets [" + from + ", " + to + ") of " + partition
                    + " are out of order: " + position + " is the next expected offset");
        }
        if (to > from) {
            pages.emit(from, to);
            times.emitted(from, now);
        }
        position = to;
    }

    /**
     * Moves the position. Offsets before it that were not emitted are not in the log and never will be emitted.
     *
     * @param to the next offset to expect; an offset before {@link #position} is ignored
     */
    public void advance(long to) {
        position = Math.max(position, to);
    }

    /**
     * Marks an offset as done. Any attempt may have completed it.
     *
     * @return whether it was pending; false if it is done already, was never emitted, or lies before the start
     */
    public boolean done(long offset) {
        if (!pages.done(offset)) {
            return false;
        }
        retries.forget(offset);
        return true;
    }

    /**
     * Registers a failed attempt.
     *
     * @param attempt the attempt, from 0; an attempt before the newest is ignored
     */
    public Verdict failed(long offset, int attempt, long now) {
        return pages.isPending(offset) ? retries.failed(offset, attempt, now) : Verdict.IGNORED;
    }

    /**
     * Takes the next offset to emit again. A full window does not prevent a replay.
     *
     * @return the offset that has been due longest; {@link #NONE} if none is due
     */
    public long replay(long now) {
        return retries.next(now);
    }

    /** Returns the attempt that is in flight or due next. */
    public int attempt(long offset) {
        return retries.attempt(offset);
    }

    /** {@return the number of failed offsets that {@link #replay} has not taken yet} */
    public int waiting() {
        return retries.waiting();
    }

    /** Returns whether an offset has failed and {@link #replay} has not taken it yet. */
    public boolean isWaiting(long offset) {
        return retries.isWaiting(offset);
    }

    /** {@return the offset to commit: all offsets before it are done, or not in the log} */
    public long committable() {
        long first = pages.firstPending();
        long committable = first == NONE ? position : first;
        times.forget(committable);
        return committable;
    }

    /** {@return the offset after the last known one} */
    public long position() {
        return position;
    }

    /** {@return the number of offsets that were emitted and are not done} */
    public long pending() {
        return pages.pending();
    }

    /** {@return whether the window is full, so that nothing more should be emitted until the first pending offset is done} */
    public boolean isFull() {
        return pages.emitted() >= window;
    }

    /** Registers the place where the offsets {@code [from, to)} were last seen, for alarms. */
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
     * Finds offsets that have been pending too long.
     *
     * @param limitNanos how long an offset may be pending, nanoseconds
     * @return the first overdue offsets, ascending; empty if there are none
     */
    public List<Overdue> overdue(long now, long limitNanos, int most) {
        long first = pages.firstPending();
        times.forget(first == NONE ? position : first);
        long before = times.firstAfter(now - limitNanos);
        List<Overdue> overdue = new ArrayList<>();
        for (long offset = first;
                offset != NONE && offset < before && overdue.size() < most;
                offset = pages.firstPending(offset + 1)) {
            overdue.add(new Overdue(partition, offset, now - times.timeOf(offset), attempt(offset), lastSeen(offset)));
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

    /** Emission times of offsets, to a tenth of a second: one mark stands for all offsets emitted within that time. */
    private static final class EmissionTimes {

        private static final long RESOLUTION = TimeUnit.MILLISECONDS.toNanos(100);

        private final Deque<EmissionTime> marks = new ArrayDeque<>();

        /** The offsets from {@code from} to the next mark were emitted at {@code time}, or at most a tenth of a second later. */
        private record EmissionTime(long from, long time) {}

        void emitted(long offset, long now) {
            if (marks.isEmpty() || now - marks.peekLast().time() >= RESOLUTION) {
                marks.addLast(new EmissionTime(offset, now));
            }
        }

        void forget(long before) {
            while (marks.size() > 1 && second().from() <= before) {
                marks.pollFirst();
            }
        }

        long timeOf(long offset) {
            long time = marks.peekFirst().time();
            for (EmissionTime mark : marks) {
                if (mark.from() > offset) {
                    break;
                }
                time = mark.time();
            }
            return time;
        }

        /** Returns the first offset emitted after a time; {@link Long#MAX_VALUE} if there is none. */
        long firstAfter(long time) {
            for (EmissionTime mark : marks) {
                if (mark.time() - time > 0) {
                    return mark.from();
                }
            }
            return Long.MAX_VALUE;
        }

        private EmissionTime second() {
            var all = marks.iterator();
            all.next();
            return all.next();
        }
    }

    /** The failed offsets that are not done: their number of failures, and when each is due again. */
    private static final class OffsetRetries {

        private final PartitionSpoutConfig.RetryPolicy policy;
        private final Map<Long, Failed> failed = new HashMap<>();
        private final PriorityQueue<Failed> queue = new PriorityQueue<>();
        private int waiting;

        /** A failed offset. Ordered by due time, then by offset. When it is done, the queue keeps it and {@link #next} skips it. */
        private static final class Failed implements Comparable<Failed> {

            private final long offset;
            private int failures;
            private long due;
            private boolean waits;

            Failed(long offset) {
                this.offset = offset;
            }

            @Override
            public int compareTo(Failed other) {
                long sooner = due - other.due;
                return sooner == 0 ? Long.compare(offset, other.offset) : sooner < 0 ? -1 : 1;
            }
        }

        OffsetRetries(PartitionSpoutConfig.RetryPolicy policy) {
            this.policy = policy;
        }

        int attempt(long offset) {
            Failed failure = failed.isEmpty() ? null : failed.get(offset);
            return failure == null ? 0 : failure.failures;
        }

        boolean isWaiting(long offset) {
            Failed failure = failed.isEmpty() ? null : failed.get(offset);
            return failure != null && failure.waits;
        }

        int waiting() {
            return waiting;
        }

        Verdict failed(long offset, int attempt, long now) {
            if (attempt != attempt(offset)) {
                return Verdict.IGNORED;
            }
            Failed failure = failed.computeIfAbsent(offset, Failed::new);
            if (failure.waits || failure.failures > policy.retries()) {
                return Verdict.IGNORED;
            }
            failure.failures++;
            if (failure.failures > policy.retries()) {
                return Verdict.DEAD;
            }
            failure.waits = true;
            waiting++;
            failure.due = now + policy.waitNanos(failure.failures);
            queue.add(failure);
            return Verdict.RETRY;
        }

        /** Takes the offset that has been due longest; {@link OffsetTracker#NONE} if none is due. */
        long next(long now) {
            for (Failed first = queue.peek();
                    first != null && (!first.waits || first.due - now <= 0);
                    first = queue.peek()) {
                queue.poll();
                if (first.waits) {
                    first.waits = false;
                    waiting--;
                    return first.offset;
                }
            }
            return OffsetTracker.NONE;
        }

        void forget(long offset) {
            Failed failure = failed.isEmpty() ? null : failed.remove(offset);
            if (failure != null && failure.waits) {
                failure.waits = false;
                waiting--;
            }
        }
    }

    /**
     * An offset that has been pending too long.
     *
     * @param partition the partition's name
     * @param offset the offset
     * @param ageNanos time since its first emission, nanoseconds, to about a tenth of a second
     * @param attempts the number of failed attempts
     * @param lastSeen the place where the offset was last seen; null if unknown
     */
    record Overdue(String partition, long offset, long ageNanos, int attempts, String lastSeen) {

        public String message() {
            return "offset " + offset + " of " + partition + " has not left the topology for "
                    + TimeUnit.NANOSECONDS.toSeconds(ageNanos) + " s, after " + attempts + " failures"
                    + (lastSeen == null ? "" : ", last seen in " + lastSeen);
        }

        public Overdue seenIn(String place) {
            return new Overdue(partition, offset, ageNanos, attempts, place);
        }
    }
}
