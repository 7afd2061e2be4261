package io.updraft.pipeline.run;

import io.updraft.pipeline.spec.TimeSpec;
import io.updraft.timeseries.record.RecordRow;
import java.time.Instant;

/** The time of a row, in milliseconds since 1970: where it comes from, and whether it is valid. */
final class RowTime {

    /** The earliest valid time: no measurement is older, and sinks cannot write much earlier times. */
    private static final long EARLIEST = Instant.parse("0001-01-01T00:00:00Z").toEpochMilli();

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

    /** Returns whether each row has a time of its own. */
    boolean isOfRow() {
        return origin == TimeSpec.Origin.EVENT;
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
