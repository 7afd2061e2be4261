package io.updraft.pipeline.run;

import io.updraft.pipeline.spec.TimeSpec;
import io.updraft.timeseries.record.RecordRow;
import io.updraft.timeseries.record.RowBlock;
import java.time.Instant;
import java.util.Arrays;

/** The time of a row, in milliseconds since 1970: where it comes from, and whether it is valid. */
final class RowTime {

    /** The earliest valid time: no measurement is older, and sinks cannot write much earlier times. */
    private static final long EARLIEST = Instant.parse("0001-01-01T00:00:00Z").toEpochMilli();

    /** The times of rows whose field has no value. */
    private static final long[] NO_TIMES = new long[RowBlock.MAX_ROWS];

    static {
        Arrays.fill(NO_TIMES, Long.MIN_VALUE);
    }

    private final TimeSpec.Origin origin;
    private final String field;
    private final int slot;
    private final long ahead;

    RowTime(RunPlan.Aggregation plan) {
        origin = plan.time().origin();
        field = plan.time().field();
        slot = origin == TimeSpec.Origin.EVENT ? plan.query().input().slot(field) : -1;
        ahead = plan.time().ahead().toMillis();
    }

    /** Returns the time of a row; {@link Long#MIN_VALUE} if its field has no value. */
    long of(RecordRow row, long sourceTime, long now) {
        return switch (origin) {
            case EVENT -> row.kind(slot) == RecordRow.LONG ? row.getLong(slot) : Long.MIN_VALUE;
            case SOURCE -> sourceTime;
            case PROCESSING -> now;
            case NONE -> 0;
        };
    }

    /** Returns the earliest time of the rows of a block; {@link Long#MIN_VALUE} if their field has no value. */
    long earliest(RowBlock block, long now) {
        long[] times = times(block);
        if (times == null) {
            return of(null, 0, now);
        }
        long earliest = Long.MAX_VALUE;
        for (int i = 0; i < block.count(); i++) {
            earliest = Math.min(earliest, times[i]);
        }
        return earliest;
    }

    /** Returns the latest time of the rows of a block. */
    long latest(RowBlock block, long now) {
        long[] times = times(block);
        if (times == null) {
            return of(null, 0, now);
        }
        long latest = Long.MIN_VALUE;
        for (int i = 0; i < block.count(); i++) {
            latest = Math.max(latest, times[i]);
        }
        return latest;
    }

    /** Returns the times of a block's rows; null if all rows have the same. */
    private long[] times(RowBlock block) {
        return switch (origin) {
            case EVENT -> block.values(slot) == null ? NO_TIMES : block.values(slot);
            case SOURCE -> block.times();
            default -> null;
        };
    }

    /** Returns whether no time from one to another is a mistake. */
    boolean areValid(long first, long last, long now) {
        return first >= EARLIEST && last - now <= ahead;
    }

    /** Returns why a row with this time is a dead letter; null if it is none. */
    String mistake(RecordRow row, long time, long now) {
        if (time < EARLIEST) {
            return origin == TimeSpec.Origin.EVENT && row.kind(slot) != RecordRow.LONG
                    ? "no value in the time field " + field
                    : "its time, " + time + " ms since 1970, is before the year 1";
        }
        return time - now > ahead ? "its time is " + (time - now) / 1000 + " s ahead of the clock" : null;
    }
}
