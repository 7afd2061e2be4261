package io.updraft.pipeline.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.observe.pipeline.PartitionLag;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LagRankingTest {

    private final Map<String, Long> records = new HashMap<>();
    private final Map<String, Long> times = new HashMap<>();
    private final Map<String, Long> held = new HashMap<>();

    private void partition(String name, long left, long time) {
        records.put(name, left);
        times.put(name, time);
    }

    private PartitionLag.Ranking ranked() {
        return LagRanking.of(records, times, held);
    }

    @Test
    void shouldNameFirstThePartitionForWhichAWindowWaits() {
        partition("in-0", 5, 20_000);
        partition("in-1", 0, 6_000);
        partition("in-2", 12_345, 19_500);
        partition("in-3", 0, 20_000);
        held.put("in-1", 10_000L);
        assertThat(ranked().worst())
                .extracting(PartitionLag::line)
                .containsExactly(
                        "in-1 0 records behind, its time 14 s behind the others; holds open the window that ends at"
                                + " 1970-01-01T00:00:10Z",
                        "in-2 12,345 records behind",
                        "in-0 5 records behind");
        assertThat(ranked().more()).isZero();
    }

    @Test
    void shouldSayWhatIsNotKnown() {
        partition("in-0", -1, 20_000);
        partition("in-1", 3, Long.MIN_VALUE);
        held.put("in-1", 1_000L);
        held.put("in-0", 2_000L);
        assertThat(ranked().worst())
                .extracting(PartitionLag::line)
                .containsExactly("in-1 3 records behind, no row of it has come yet; holds open the window that ends at"
                        + " 1970-01-01T00:00:01Z");
    }

    @Test
    void shouldLeaveOutPartitionsThatAreReadAndForWhichNothingWaitsLong() {
        partition("in-0", 0, 20_000);
        partition("in-1", 0, 6_000);
        partition("in-2", 0, 19_500);
        held.put("in-2", 20_000L);
        assertThat(ranked()).isEqualTo(PartitionLag.Ranking.NONE);
    }

    @Test
    void shouldNameAFewAndCountTheOthers() {
        for (int i = 0; i < 1_000; i++) {
            partition("in-" + i, i + 1, 0);
        }
        assertThat(ranked().worst()).hasSize(LagRanking.WORST);
        assertThat(ranked().worst().get(0).partition()).isEqualTo("in-999");
        assertThat(ranked().more()).isEqualTo(990);
    }
}
