package io.updraft.bench.aggregate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.base.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class MeasurementSequenceTest {

    private static final long RECORDS = 20_000;

    private final MeasurementSequence firehose = new MeasurementSequence(RECORDS, 300, 7, 3_000, 60_000, 42);

    @Test
    void shouldSayTheSameForTheSameSeedAndSomethingElseForAnother() {
        MeasurementSequence same = new MeasurementSequence(RECORDS, 300, 7, 3_000, 60_000, 42);
        MeasurementSequence other = new MeasurementSequence(RECORDS, 300, 7, 3_000, 60_000, 43);
        long different = 0;
        for (long i = 0; i < RECORDS; i++) {
            assertThat(firehose.value(i)).isEqualTo(same.value(i)).isBetween(0, 999_999);
            assertThat(firehose.key(i)).isEqualTo(same.key(i)).isBetween(0, 299);
            different += firehose.value(i) == other.value(i) ? 0 : 1;
        }
        assertThat(different).isGreaterThan(RECORDS * 9 / 10);
    }

    @Test
    void shouldRiseInTimeAndCloseEveryPartitionAfterTheLastWindow() {
        for (long i = 1; i < RECORDS; i++) {
            assertThat(firehose.time(i)).isGreaterThanOrEqualTo(firehose.time(i - 1));
        }
        assertThat(firehose.windows()).isEqualTo(7);
        assertThat(firehose.time(RECORDS - 1)).isLessThan(firehose.end());
        Map<String, Object> closing = Json.readObject(new String(firehose.closing(3), StandardCharsets.UTF_8));
        assertThat((Long) closing.get("time")).isGreaterThan(firehose.end());
    }

    /** The model sums what the seed gives; this sums what is really written. */
    @Test
    void shouldWriteWhatTheModelSums() {
        Map<String, Totals> written = new HashMap<>();
        RecordWriter writer = new RecordWriter(firehose.keys());
        for (long i = 0; i < RECORDS; i++) {
            Map<String, Object> json = Json.readObject(new String(
                    writer.json(firehose.time(i), firehose.key(i), firehose.value(i)), StandardCharsets.UTF_8));
            long window = ((Long) json.get("time") - MeasurementSequence.START) / firehose.windowMillis();
            written.computeIfAbsent(
                            json.get("metric") + " of " + json.get("source") + " in window " + window,
                            name -> new Totals())
                    .add((Long) json.get("value"));
        }
        ExpectedResults model = ExpectedResults.of(firehose);
        assertThat(model.results()).isEqualTo(written.size());
        for (int cell = 0; cell < model.cells(); cell++) {
            assertThat(String.valueOf(model.totals(cell))).isEqualTo(String.valueOf(written.get(model.name(cell))));
        }
    }

    @Test
    void shouldRefusePartitionsThatWouldStayEmpty() {
        assertThatThrownBy(() -> new MeasurementSequence(1, 3, 4, 1, 1, 1))
                .hasMessage("3 keys cannot fill 4 partitions");
    }
}
