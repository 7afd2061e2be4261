package io.updraft.kafka.spout;

import io.updraft.kafka.offset.OffsetTracker;
import io.updraft.kafka.offset.Overdue;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Names the offsets of one partition that take too long: each once, and the one for which all others wait again each time that the
 * limit has passed once more.
 */
final class Alarm {

    private static final int MOST = 10;

    private final long limitNanos;
    private long named = -1;
    private long first = -1;
    private long firstAt;

    Alarm(long limitMillis) {
        limitNanos = TimeUnit.MILLISECONDS.toNanos(limitMillis);
    }

    /** Whether something has taken half of the time after which it is named, or more. */
    boolean isNear(OffsetTracker tracker, long now) {
        return !tracker.overdue(now, limitNanos / 2, 1).isEmpty();
    }

    List<Overdue> ring(OffsetTracker tracker, long now) {
        List<Overdue> ringing = new ArrayList<>();
        for (Overdue overdue : tracker.overdue(now, limitNanos, MOST)) {
            boolean isFirst = overdue.offset() == tracker.committable();
            boolean again = isFirst && overdue.offset() == first && now - firstAt >= limitNanos;
            if (overdue.offset() > named || again) {
                ringing.add(overdue);
                named = Math.max(named, overdue.offset());
            }
            if (isFirst && (again || overdue.offset() != first)) {
                first = overdue.offset();
                firstAt = now;
            }
        }
        return ringing;
    }
}
