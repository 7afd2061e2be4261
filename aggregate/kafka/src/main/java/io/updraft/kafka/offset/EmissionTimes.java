package io.updraft.kafka.offset;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;

/** Emission times of offsets, to a tenth of a second: one mark stands for all offsets emitted within that time. */
final class EmissionTimes {

    private static final long RESOLUTION = TimeUnit.MILLISECONDS.toNanos(100);

    private final Deque<EmissionTime> marks = new ArrayDeque<>();

    /** The offsets from {@code from} to the next mark were emitted at {@code time}, or at most a tenth of a second later. */
    private record EmissionTime(long from, long time) {}

    void emitted(long offset, long now) {
        if (marks.isEmpty() || now - marks.peekLast().time() >= RESOLUTION) {
            marks.addLast(new EmissionTime(offset, now));
        }
    }

    /** Drops the marks of offsets before this one. */
    void forget(long before) {
        while (marks.size() > 1 && second().from() <= before) {
            marks.pollFirst();
        }
    }

    /** Returns when an offset was emitted. */
    long of(long offset) {
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
