package io.updraft.pipeline.aggregation;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.pipeline.connector.ProcessedRanges;
import io.updraft.pipeline.unit.Unit;
import io.updraft.timeseries.aggregate.AggregatorOptions;
import io.updraft.timeseries.aggregate.Aggregators;
import io.updraft.timeseries.query.AggregateFunction;
import io.updraft.timeseries.query.Measure;
import io.updraft.timeseries.query.Query;
import io.updraft.timeseries.query.WindowSpec;
import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.Schema;
import io.updraft.timeseries.record.SchemaField;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What a task does for one of many units does not depend on how many there are. */
final class ManyUnitsTest {

    private static final int UNITS = 5_000;
    private static final WindowSpec MINUTES = WindowSpec.tumbling(Duration.ofMinutes(1));

    private final AggregationShard shard = shard();
    private final List<Unit> units = new ArrayList<>();
    private final List<UnitState> states = new ArrayList<>();

    private static AggregationShard shard() {
        Query query = new Query(
                new Schema(List.of(new SchemaField("n", FieldType.LONG))),
                List.of(),
                List.of(new Measure("n", AggregateFunction.COUNT, null, 0)),
                MINUTES);
        return new AggregationShard(
                Aggregators.create(query, AggregatorOptions.inMemory()), null, 0, new WindowBounds(MINUTES));
    }

    private void openAll() {
        for (int i = 0; i < UNITS; i++) {
            Unit.Group group = new Unit.Group("g" + i, 1, null);
            Unit unit = new Unit("u" + i, group, 0, ProcessedRanges.NONE, new AtomicLong(), position -> "");
            UnitState state = new UnitState(0, false);
            shard.open(unit, state, Long.MIN_VALUE);
            units.add(unit);
            states.add(state);
        }
    }

    @Test
    void shouldReportOnlyTheUnitsThatHaveChanged() {
        openAll();
        int reported = 0;
        for (int i = 0; i < UNITS; i++) {
            states.get(i).handled(0, 0, 10, 60_000, 0);
            shard.update(units.get(i), states.get(i));
            AggregateOutput.Closed report = shard.report(0, List.of(), true);
            assertThat(report.done()).containsOnlyKeys(units.get(i));
            reported += report.handled().size();
        }
        assertThat(reported).isEqualTo(UNITS);
        assertThat(shard.takeAdvanced()).isFalse();
    }

    @Test
    void shouldReportTheUnitsWhoseWindowsWereClosed() {
        openAll();
        for (int i = 0; i < UNITS; i++) {
            states.get(i).handled(0, 0, 10, (1 + i % 2) * 60_000L, 0);
            shard.update(units.get(i), states.get(i));
        }
        shard.report(0, List.of(), true);
        shard.close(60_000, Long.MAX_VALUE);
        List<AggregateOutput> reports = new ArrayList<>();
        shard.reportClosings(0, true, reports::add);
        AggregateOutput.Closed closed = (AggregateOutput.Closed) reports.get(0);
        assertThat(closed.done()).hasSize(UNITS / 2).containsEntry(units.get(0), 10L);
    }

    @Test
    void shouldTakeTheEarliestTimeOfManyUnitsThatAdvance() {
        openAll();
        assertThat(shard.watermark()).isEqualTo(Long.MIN_VALUE);
        for (int i = 0; i < UNITS; i++) {
            assertThat(shard.watermark()).isEqualTo(Long.MIN_VALUE);
            states.get(i).advanceTime(1_000L + i);
            shard.update(units.get(i), states.get(i));
        }
        assertThat(shard.watermark()).isEqualTo(1_000);
        for (int i = 0; i < UNITS - 1; i++) {
            states.get(i).idle();
            shard.update(units.get(i), states.get(i));
            assertThat(shard.watermark()).isEqualTo(1_001L + i);
        }
        states.get(UNITS - 1).end();
        shard.update(units.get(UNITS - 1), states.get(UNITS - 1));
        assertThat(shard.watermark()).as("the latest idle").isEqualTo(999L + UNITS - 1);
    }
}
