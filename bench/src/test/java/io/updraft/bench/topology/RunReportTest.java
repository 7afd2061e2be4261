package io.updraft.bench.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.base.json.Json;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RunReportTest {

    @Test
    void shouldReadWhatItWrote() throws IOException {
        Histogram latencies = new Histogram(3);
        latencies.recordValue(1_000);
        latencies.recordValue(2_000_000);
        RunReport report = new RunReport(
                List.of(new RunReport.Task("spout", List.of(1L, 2L, 3L, 4L, 5L))),
                7,
                RunReport.encoded(latencies),
                List.of(Map.of("word", 3, "other", 4), Map.of()));

        RunReport read = read(report);

        assertThat(read).isEqualTo(report);
        assertThat(read.histogram().getTotalCount()).isEqualTo(2);
        assertThat(read.histogram().getMaxValue()).isEqualTo(latencies.getMaxValue());
    }

    @Test
    void shouldLeaveDetailsOutThatWereNotAskedFor() throws IOException {
        BenchRunState run = BenchRunState.of("RunReportTest");
        run.words(Map.of("word", 1));

        RunReport read = read(run.answer(BenchQuery.COUNTS));

        assertThat(read.histogram()).isNull();
        assertThat(read.words()).isEmpty();
        assertThat(read(run.answer(BenchQuery.ALL)).words()).containsExactly(Map.of("word", 1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"AAAAAAA=", "not Base64"})
    void shouldNotBelieveLatenciesThatAreNone(String latencies) {
        assertThatThrownBy(() -> new RunReport(List.of(), 0, latencies, List.of()).histogram())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("latencies cannot be decoded");
    }

    @Test
    void shouldFindTheHarnessInARunsId() {
        RunAddress address = RunAddress.random(4711);

        assertThat(RunAddress.in(address.runId())).contains(address);
        assertThat(address.token())
                .hasSize(32)
                .isNotEqualTo(RunAddress.random(4711).token());
        assertThat(RunAddress.in("bench-12345")).isEmpty();
        assertThat(RunAddress.in("bench-12345@99999")).isEmpty();
        assertThat(RunAddress.in("bench-12345@x")).isEmpty();
    }

    private static RunReport read(RunReport report) {
        return Json.read(Json.write(report), RunReport.class);
    }
}
