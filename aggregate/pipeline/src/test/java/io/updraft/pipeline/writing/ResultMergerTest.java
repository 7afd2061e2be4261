package io.updraft.pipeline.writing;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.pipeline.aggregation.AggregateOutput;
import io.updraft.pipeline.connector.ProcessedRanges;
import io.updraft.pipeline.counter.UsedRecords;
import io.updraft.pipeline.unit.Unit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class ResultMergerTest {

    private static final int UNITS = 5_000;

    private final ResultMerger merger = new ResultMerger(2);

    private void report(int task, Unit unit, long position) {
        merger.add(new AggregateOutput.Closed(
                task,
                null,
                List.of(),
                Long.MIN_VALUE,
                Long.MIN_VALUE,
                Map.of(),
                Map.of(unit, position),
                UsedRecords.NONE));
    }

    private static Unit unit(int index) {
        return new Unit(
                "u" + index,
                new Unit.Group("g" + index, 1, null),
                0,
                ProcessedRanges.NONE,
                new AtomicLong(),
                position -> "");
    }

    @Test
    void shouldReturnEachPositionOnceHoweverManyUnitsThereAre() {
        for (int i = 0; i < UNITS; i++) {
            Unit unit = unit(i);
            report(0, unit, 20);
            assertThat(merger.takeDone()).isEmpty();
            report(1, unit, 10);
            assertThat(merger.takeDone()).containsExactly(Map.entry(unit, 10L));
        }
        assertThat(merger.hasPosition()).isTrue();
        assertThat(merger.takeDone()).isEmpty();
    }

    @Test
    void shouldForgetAUnitThatAllTasksHaveFinished() {
        Unit unit = unit(0);
        report(0, unit, AggregateOutput.OVER + 5);
        assertThat(merger.hasPosition()).isFalse();
        report(1, unit, AggregateOutput.OVER + 5);
        assertThat(merger.hasPosition()).isTrue();
        assertThat(merger.takeDone()).containsEntry(unit, AggregateOutput.OVER + 5);
        assertThat(merger.hasPosition()).isFalse();
        assertThat(merger.units()).isZero();
    }
}
