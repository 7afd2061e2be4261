package io.updraft.cli.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.pipeline.PartitionLag;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PipelineRequestsTest {
    private static List<PartitionLag> lags(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> new PartitionLag("in-" + i, 1_000 - i, 0, Long.MIN_VALUE))
                .toList();
    }

    @Test
    void shouldNameAFewLaggingPartitionsAndCountTheOthers() {
        assertThat(PipelineRequests.lagLines(new PartitionLag.Ranking(lags(10), 90)))
                .containsExactly(
                        "in-0 1,000 records behind",
                        "in-1 999 records behind",
                        "in-2 998 records behind",
                        "... and 97 more");
    }

    @Test
    void shouldCountNoOthersIfAllAreNamed() {
        assertThat(PipelineRequests.lagLines(new PartitionLag.Ranking(lags(3), 0)))
                .hasSize(3);
        assertThat(PipelineRequests.lagLines(PartitionLag.Ranking.NONE)).isEmpty();
    }
}
