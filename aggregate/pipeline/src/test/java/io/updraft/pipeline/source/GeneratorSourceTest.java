package io.updraft.pipeline.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.base.record.Chunk;
import io.updraft.observe.pipeline.SourceProgress;
import io.updraft.pipeline.connector.RecordSource;
import io.updraft.pipeline.connector.SourceReading;
import io.updraft.pipeline.connector.SourceSpec;
import io.updraft.pipeline.connector.SourceSpec.Generator.Format;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GeneratorSourceTest {

    @Test
    void shouldMakeTheSameRecordsFromTheSameSeed() throws Exception {
        String first = text(1000, 5, Format.JSON);
        assertThat(text(1000, 5, Format.JSON)).isEqualTo(first);
        assertThat(text(1000, 6, Format.JSON)).isNotEqualTo(first);
        assertThat(first).startsWith("{\"time\":1767225600000,\"host\":\"v");
    }

    @Test
    void shouldGiveEachDimensionAsManyValuesAsAskedFor() throws Exception {
        String[] records = text(20_000, 1, Format.CSV).split("(?<=\\d)(?=17672\\d{8},)");
        assertThat(records).hasSize(20_000);
        Map<String, Integer> hosts = new HashMap<>();
        for (String record : records) {
            String[] fields = record.split(",");
            assertThat(fields).hasSize(4);
            hosts.merge(fields[1], 1, Integer::sum);
            assertThat(Long.parseLong(fields[3])).isBetween(0L, 999L);
        }
        assertThat(hosts)
                .hasSize(10)
                .allSatisfy((host, count) -> assertThat(count).isBetween(1700, 2300));
    }

    @Test
    void shouldDealRecordsToPartitionsAndLetTimeAdvance() throws Exception {
        try (SourceReading reading =
                new SourceReading(new GeneratorSource(spec(100_000, 1, Format.JSON, 3, 0))).toEnd()) {
            assertThat(reading.texts()).containsOnlyKeys("generator-0", "generator-1", "generator-2");
            long records = reading.of(Chunk.class).stream()
                    .mapToLong(event -> event.ends().length)
                    .sum();
            assertThat(records).isEqualTo(100_000);
            assertThat(reading.of(Chunk.class).get(0).times()).startsWith(1767225600000L, 1767225600001L);

            assertThat(reading.source().progress()).isEqualTo(new SourceProgress(100_000, 100_000, -1, "records"));
        }
    }

    @Test
    void shouldKeepToItsRate() throws Exception {
        long begun = System.nanoTime();
        try (RecordSource source = new GeneratorSource(spec(200, 1, Format.JSON, 1, 1000))) {
            new SourceReading(source).toEnd();
        }
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThan(Duration.ofMillis(150));
    }

    private static String text(long records, long seed, Format format) throws Exception {
        try (RecordSource source = new GeneratorSource(spec(records, seed, format, 1, 0))) {
            return new SourceReading(source).toEnd().text("generator");
        }
    }

    private static SourceSpec.Generator spec(long records, long seed, Format format, int partitions, long rate) {
        Map<String, Long> dimensions = new LinkedHashMap<>();
        dimensions.put("host", 10L);
        dimensions.put("service", 1_000_000L);
        return new SourceSpec.Generator(
                format,
                records,
                rate,
                seed,
                partitions,
                "time",
                Instant.parse("2026-01-01T00:00:00Z"),
                Duration.ofMillis(1),
                dimensions,
                List.of("value"));
    }
}
