package io.updraft.bench.topology.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
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
                List.of(new RunReport.Task("spout", new long[] {1, 2, 3, 4, 5})),
                7,
                latencies,
                List.of(Map.of("word", 3, "other", 4), Map.of()));

        RunReport read = read(written(report));

        assertThat(read.gcMillis()).isEqualTo(7);
        assertThat(read.tasks()).singleElement().satisfies(task -> {
            assertThat(task.component()).isEqualTo("spout");
            assertThat(task.counts()).containsExactly(1, 2, 3, 4, 5);
        });
        assertThat(read.latencies().getTotalCount()).isEqualTo(2);
        assertThat(read.latencies().getMaxValue()).isEqualTo(latencies.getMaxValue());
        assertThat(read.words()).containsExactly(Map.of("word", 3, "other", 4), Map.of());
    }

    @Test
    void shouldLeaveDetailsOutThatWereNotAskedFor() throws IOException {
        BenchRunState run = BenchRunState.of("RunReportTest");
        run.words(Map.of("word", 1));

        RunReport read = read(written(run.answer(BenchQuery.COUNTS)));

        assertThat(read.latencies()).isNull();
        assertThat(read.words()).isEmpty();
        assertThat(read(written(run.answer(BenchQuery.ALL))).words()).containsExactly(Map.of("word", 1));
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 1 << 20})
    void shouldNotBelieveASizeThatCannotBe(int size) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeLong(0);
        out.writeInt(size);

        assertThatThrownBy(() -> read(bytes.toByteArray()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("a size of " + size);
    }

    @Test
    void shouldNotBelieveLatenciesThatAreNone() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeLong(0);
        out.writeInt(0);
        out.writeBoolean(true);
        out.writeInt(5);
        out.write(new byte[5]);

        assertThatThrownBy(() -> read(bytes.toByteArray()))
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

    private static byte[] written(RunReport report) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        report.write(new DataOutputStream(bytes));
        return bytes.toByteArray();
    }

    private static RunReport read(byte[] bytes) throws IOException {
        return RunReport.read(new DataInputStream(new ByteArrayInputStream(bytes)));
    }
}
