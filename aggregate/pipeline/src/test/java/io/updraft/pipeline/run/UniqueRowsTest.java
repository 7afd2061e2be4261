package io.updraft.pipeline.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.pipeline.connector.ProcessedRanges;
import io.updraft.pipeline.spec.AggregateSpec;
import io.updraft.pipeline.spec.TimeSpec;
import io.updraft.timeseries.aggregate.AggregatorOptions;
import io.updraft.timeseries.aggregate.Aggregators;
import io.updraft.timeseries.query.AggregateFunction;
import io.updraft.timeseries.query.CalendarUnit;
import io.updraft.timeseries.query.Measure;
import io.updraft.timeseries.query.Query;
import io.updraft.timeseries.query.WindowCalendar;
import io.updraft.timeseries.query.WindowSpec;
import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.Schema;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class UniqueRowsTest {

    private static final Schema SCHEMA = new Schema(List.of(
            new Schema.Field("time", FieldType.TIME),
            new Schema.Field("zone", FieldType.TEXT),
            new Schema.Field("id", FieldType.LONG)));
    private static final Duration HOUR = Duration.ofHours(1);
    private static final long HALF_HOUR = HOUR.toMillis() / 2;
    private static final byte[] ID = new byte[8];

    @Test
    void shouldKnowIdsAgainWhileRowsOfWrittenWindowsAreReadAgain() {
        WindowSpec windows = new WindowSpec(HOUR, HOUR, HOUR);
        UniqueRows unique = unique(windows);
        ShareWindows shareWindows = new ShareWindows(
                Aggregators.create(query(windows), AggregatorOptions.inMemory()),
                null,
                0,
                new ShareWindows.Bounds(windows),
                unique);
        long closedUntil = Duration.ofMinutes(320).toMillis();
        ProcessedRanges seen = ProcessedRanges.parse("0-2:" + closedUntil + ":" + (closedUntil + HOUR.toMillis()));
        Partition partition =
                new Partition("u", new Partition.Share("g", 1, null), 0, seen, new AtomicLong(1), position -> "");
        shareWindows.open(new PartitionProgress(partition, 0, true), closedUntil);
        assertThat(shareWindows.ids().add(ID, ID.length, 4 * HOUR.toMillis())).isTrue();
        shareWindows.passIds(0, shareWindows.watermark());
        // A duplicate, and its window still accepts rows.
        assertThat(shareWindows.ids().add(ID, ID.length, 5 * HOUR.toMillis())).isFalse();
        shareWindows.close();
    }

    @Test
    void shouldNeedAnIdUntilTheWindowOfALaterDuplicateIsClosed() {
        assertThat(unique(WindowSpec.tumbling(HOUR)).neededUntil(HALF_HOUR)).isEqualTo(4 * HALF_HOUR);
    }

    @Test
    void shouldNeedAnIdUntilTheLastOfTheWindowsOfALaterDuplicateIsClosed() {
        WindowSpec sliding = new WindowSpec(HOUR.multipliedBy(3), HOUR, Duration.ZERO);
        assertThat(unique(sliding).neededUntil(HALF_HOUR)).isEqualTo(8 * HALF_HOUR);
    }

    @Test
    void shouldNeedAnIdUntilTheDayOfALaterDuplicateIsClosedInAnyZone() {
        WindowSpec days =
                WindowSpec.of(new WindowCalendar(CalendarUnit.DAY, CalendarUnit.DAY, null, "zone"), Duration.ZERO);
        assertThat(unique(days).neededUntil(HALF_HOUR))
                .isGreaterThan(HALF_HOUR + HOUR.toMillis() + days.size().toMillis());
    }

    private static UniqueRows unique(WindowSpec windows) {
        TimeSpec time = new TimeSpec(TimeSpec.Origin.EVENT, "time", Duration.ZERO, Duration.ZERO, HOUR);
        return new UniqueRows("p", new AggregateSpec.Unique(List.of("id"), HOUR, 0), query(windows), time, 1);
    }

    private static Query query(WindowSpec windows) {
        return new Query(SCHEMA, List.of(), List.of(new Measure("n", AggregateFunction.COUNT, null, 0)), windows);
    }
}
