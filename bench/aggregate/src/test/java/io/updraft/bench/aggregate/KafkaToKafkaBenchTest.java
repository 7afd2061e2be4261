package io.updraft.bench.aggregate;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The experiments with processes of ours alone, from Kafka to Kafka. */
final class KafkaToKafkaBenchTest {

    private final AggregateBenchRun bench = new AggregateBenchRun();

    @Test
    @Tag("long")
    void shouldMeasureRateAndLatencyFromKafkaToKafka() {
        int status = bench.run("superchief --records 60k --per-window 20k --keys 1k --partitions 4 --runs 1 --heap 512m"
                + " --rate 2k --latency-windows 1 --latency-window 3 -c session=30s");
        assertThat(status).as(bench.out()).isZero();
        assertThat(bench.out()).contains("messages/s per core", "p999").doesNotContain("INVALID");
    }
}
