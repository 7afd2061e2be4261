package io.updraft.bench.aggregate;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.base.json.Json;
import io.updraft.bench.topology.BenchRunState;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ResultTotalsTest {

    @Test
    void shouldReportTotalsThatNeedMoreThan32Bits() {
        ResultTotals totals = new ResultTotals(3);
        totals.add(List.of("group", 5_000_000_000L, -1L, 1L << 31));
        totals.add(List.of("group", 1L, -1L, 0L));
        BenchRunState run = BenchRunState.of("totals");
        run.words(totals);
        assertThat(ResultTotals.of(run, 0)).isEqualTo(5_000_000_001L);
        assertThat(ResultTotals.of(run, 1)).isEqualTo(-2);
        assertThat(ResultTotals.of(run, 2)).isEqualTo(1L << 31);
        assertThat(Json.write(totals)).contains("\"low half of total 1\":-2");
    }
}
