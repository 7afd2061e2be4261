package io.updraft.kafka.spout;

import io.updraft.kafka.offset.OffsetTracker;
import io.updraft.kafka.offset.OverdueOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Selects the overdue offsets of one partition that an alarm reports. Each offset is reported once. The first pending offset,
 * which holds back the commit, is reported again each time another limit has passed.
 */
final class OverduePartitionAlarm {

    private static final int MAX_OFFSETS = 10;

    private final long limitNanos;
    private long named = -1;
    private long first = -1;
    private long firstAt;

    OverduePartitionAlarm(long limitMillis) {
        limitNanos = TimeUnit.MILLISECONDS.toNanos(limitMillis);
    }

    /** Returns whether an offset has been pending for half of the limit or longer. */
    boolean isNear(OffsetTracker tracker, long now) {
        return !tracker.overdue(now, limitNanos / 2, 1).isEmpty();
    }

    List<OverdueOffset> due(OffsetTracker tracker, long now) {
        List<OverdueOffset> ringing = new ArrayList<>();
        for (OverdueOffset overdue : tracker.overdue(now, limitNanos, MAX_OFFSETS)) {
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
