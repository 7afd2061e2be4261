package io.updraft.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.cli.view.ProgressView.ProgressLine;
import io.updraft.observe.pipeline.PipelineProgress;
import io.updraft.observe.pipeline.SourceProgress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProgressLineTest {

    private static final long SECOND = 1_000_000_000L;

    @Test
    void shouldDrawABarWithWhatIsLeftWhereTheInputHasAnEnd() {
        String bar =
                ProgressLine.bar(progress(new SourceProgress(250, 1000, -1, "bytes"), 0, 0), 1.5e6, 10 * SECOND, 100);
        assertThat(bar)
                .startsWith(
                        "[#######--------------------] 00:00:10 25%, 1.00M records, 1.50M/s, 7 windows written, 00:00:30 left")
                .hasSizeLessThanOrEqualTo(100);
    }

    @Test
    void shouldLeaveTheBarOutWhereThereIsNoRoom() {
        PipelineProgress now = progress(new SourceProgress(250, 1000, -1, "bytes"), 0, 0);
        assertThat(ProgressLine.bar(now, 1, SECOND, 40)).doesNotContain("[").hasSize(40);
    }

    @Test
    void shouldTellTheLagWhereThereIsNoEnd() {
        PipelineProgress now = progress(new SourceProgress(250, -1, 12_300, "records"), 3, 4);
        assertThat(ProgressLine.text(now, 1000, 3600 * SECOND))
                .isEqualTo("01:00:00 1.00M records, 1.00k/s, lag 12.3k records, 3 rejected, 4 late, 7 windows written");
    }

    @Test
    void shouldTellWhatWasRoutedWhereNothingIsAggregated() {
        Map<String, Long> delivered = new LinkedHashMap<>();
        delivered.put("a:1", 1_200L);
        delivered.put("b:1", 34L);
        PipelineProgress now =
                progress(new SourceProgress(250, -1, 0, "bytes"), 3, 0, new PipelineProgress.Route(delivered, 5, 0, 6));
        assertThat(ProgressLine.text(now, 1000, SECOND))
                .isEqualTo("00:00:01 1.00M records, 1.00k/s, 3 rejected, 1.23k routed (a:1 1.20k, b:1 34), 6 waiting,"
                        + " 5 sent again");
        assertThat(ProgressLine.summary("route", now, SECOND))
                .endsWith("999,997 rows, 3 rejected; 1.23k routed (a:1 1.20k, b:1 34), 6 waiting, 5 sent again");
    }

    @Test
    void shouldSumUp() {
        PipelineProgress end = progress(new SourceProgress(1000, 1000, 0, "bytes"), 3, 4);
        assertThat(ProgressLine.summary("flights", end, 2 * SECOND))
                .isEqualTo("flights ran 2.0 s: 1,000,000 records (500k/s), 999,997 rows, 3 rejected, 4 late;"
                        + " 7 windows with 70 groups written");
    }

    @Test
    void shouldTellOfGroupsThatOverflow() {
        PipelineProgress now = progress(new SourceProgress(1000, 1000, 0, "bytes"), 0, 0, 2, null);
        assertThat(ProgressLine.text(now, 1000, SECOND)).endsWith(", 2 overflowed, 7 windows written");
        assertThat(ProgressLine.summary("flights", now, SECOND)).endsWith("70 groups written, 2 overflowed");
    }

    @Test
    void shouldNotMindAnEmptyInput() {
        PipelineProgress end = progress(new SourceProgress(0, 0, 0, "bytes"), 0, 0);
        assertThat(ProgressLine.bar(end, 0, 0, 80)).contains("100%");
    }

    private static PipelineProgress progress(SourceProgress source, long rejected, long late) {
        return progress(source, rejected, late, null);
    }

    private static PipelineProgress progress(
            SourceProgress source, long rejected, long late, PipelineProgress.Route route) {
        return progress(source, rejected, late, 0, route);
    }

    private static PipelineProgress progress(
            SourceProgress source, long rejected, long late, long overflows, PipelineProgress.Route route) {
        return new PipelineProgress(
                1_000_000,
                1_000_000 - rejected,
                rejected,
                late,
                0,
                0,
                7,
                70,
                0,
                0,
                0,
                0,
                0,
                0,
                overflows,
                0,
                route,
                List.of(source));
    }
}
