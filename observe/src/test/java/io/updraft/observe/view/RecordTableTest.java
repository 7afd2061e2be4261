package io.updraft.observe.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class RecordTableTest {
    private static final CountsView COUNTS = new CountsView(1L, 2L, 3L, 4L);

    private static ExecutorView executor(int firstTask, ExecutorView.OfCluster cluster) {
        return new ExecutorView(
                firstTask, 0, cluster, new RatesView(0.123456, null, 1.23456, 1234.56, 0.0, 0.0), COUNTS);
    }

    @Test
    void shouldNameItsColumnsAlsoWithoutRows() {
        assertThat(RecordTable.of(EdgeView.class, List.of()))
                .isEqualTo(new RecordTable(List.of("from", "stream", "to", "perSecond", "backPressured"), List.of()));
        assertThat(RecordTable.of(ExecutorView.class, List.of()).columns())
                .containsSequence("busy", "busyWaiting", "emitted", "executed", "acked", "failed");
    }

    @Test
    void shouldHaveNoColumnsOfWhatNoRecordHas() {
        assertThat(RecordTable.of(ExecutorView.class, List.of(executor(1, null)))
                        .columns())
                .startsWith("firstTask", "worker", "emittedPerSecond");
        RecordTable some = RecordTable.of(
                ExecutorView.class, List.of(executor(1, null), executor(2, new ExecutorView.OfCluster(7))));
        assertThat(some.columns()).contains("uptimeSeconds");
        assertThat(some.rows())
                .extracting(row -> row.get(some.columns().indexOf("uptimeSeconds")))
                .containsExactly(null, 7);
    }

    @Test
    void shouldTakeFewBytes() {
        List<Object> row = RecordTable.compact(ExecutorView.class, List.of(executor(1, null)))
                .rows()
                .get(0);
        assertThat(row).startsWith(1, 0, 0.1235, null, 1.23, 1235.0, 0.0);
    }
}
