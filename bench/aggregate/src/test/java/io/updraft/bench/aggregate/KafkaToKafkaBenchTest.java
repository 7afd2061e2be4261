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

    @Test
    @Tag("long")
    void shouldKillAProcessAndFindTheTotalsExact() {
        int status =
                bench.run("recovery --records 200k --per-window 40k --keys 1k --partitions 6 --processes 2 --runs 1"
                        + " --heap 512m --session 8");
        assertThat(status).as(bench.out()).isZero();
        assertThat(bench.out()).contains("totals exact");
    }

    @Test
    @Tag("long")
    void shouldReplayAnHourUnderKillsAndFindTheTotalsExact() {
        int status = bench.run("replay --records 120k --minutes 60 --keys 500 --partitions 6 --processes 2 --heap 256m"
                + " --rate 20k --faults 3 --fault-seconds 2");
        assertThat(status).as(bench.out()).isZero();
        assertThat(bench.out())
                .containsPattern("[1-9][0-9]* (kills|pauses)")
                .contains("longest silence: ", "each once, totals exact");
    }
}
