package io.updraft.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.engine.snapshot.EngineSnapshot;
import io.updraft.observe.view.Snapshots;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

class RunSummaryTest {

    @Test
    void shouldTellTheWholeRun() {
        assertThat(RunSummary.of("wordcount", Snapshots.troubled(), List.of(), ZoneOffset.UTC))
                .containsExactly(
                        "wordcount ran 11.0 s: 9,800 tuple trees completed (891/s), 130 failed",
                        "component      emitted     executed        acked   failed  errors    p50    p99",
                        "lines           10,000            -        9,800      130       0   30ms    30s",
                        "split           50,000        9,930        9,800      130     130  2.0us  100ms",
                        "count                0       50,000       50,000        0       0  850ns  3.0us",
                        "70 tuple trees were still in flight when it ended: they are lost unless the spouts' source"
                                + " replays them",
                        "  spouts: lines 70; their tuples may be in: split (12 queued, calls block)");
    }

    @Test
    void shouldKeepAGapBetweenColumnsOfManyDigits() {
        EngineSnapshot end = Snapshots.counted(123_456_789_012L, 2_400_000);
        assertThat(RunSummary.of("wordcount", end, List.of(), ZoneOffset.UTC))
                .contains(
                        "component          emitted     executed            acked     failed     errors    p50    p99",
                        "lines      123,456,789,012            -  123,456,789,012  2,400,000  2,400,000      -      -");
    }
}
