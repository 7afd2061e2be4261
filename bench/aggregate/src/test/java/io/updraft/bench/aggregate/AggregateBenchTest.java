package io.updraft.bench.aggregate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

final class AggregateBenchTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void shouldSayInOneLineWhatIsWrongWithTheCommandLine() {
        assertThat(run("")).isEqualTo(2);
        assertThat(run("peers --records many")).isEqualTo(2);
        assertThat(run("peers --keys 3")).isEqualTo(2);
        assertThat(run("ericsson-table --dims 0")).isEqualTo(2);
        assertThat(err.toString().lines())
                .hasSize(4)
                .allMatch(line -> line.startsWith("updraft bench aggregate: "))
                .anyMatch(line -> line.endsWith("no experiment given; --help lists them"))
                .anyMatch(line -> line.contains("'many' is no number such as 500, 10k or 20m"))
                .anyMatch(line -> line.endsWith("3 keys cannot fill 64 partitions"))
                .anyMatch(line -> line.endsWith("there is at least one dimension and one measure"));
    }

    @Test
    @Tag("slow")
    void shouldHaveEverySystemComputeWhatTheModelDoes() {
        int status = run("peers --records 100k --per-window 20k --keys 1k --partitions 4 --runs 1 --heap 512m");
        assertThat(status).as(out.toString()).isZero();
        assertThat(out.toString())
                .contains("Updraft", "bare loop", "consumer alone", "Flink", "Kafka Streams", "Storm")
                .doesNotContain("INVALID");
    }

    @Test
    @Tag("slow")
    void shouldMeasureAggregationAloneAndDrawIt(@TempDir Path directory) {
        Path plot = directory.resolve("curves.png");
        int status = run("ericsson-table --keys 100,1k --runtimes updraft,storm,alone --runs 1 --heap 512m"
                + " --warmup 0.2 --testTime 0.5 --plot " + plot);
        assertThat(status).as(out.toString()).isZero();
        assertThat(out.toString()).contains("bytes/key").doesNotContain("INVALID");
        assertThat(Files.exists(plot)).isTrue();
    }

    @Test
    @Tag("slow")
    void shouldMeasureThePipelineFromFiles() {
        int status = run("ericsson-pipeline --records 5k --keys 100 --runs 1 --heap 512m");
        assertThat(status).as(out.toString()).isZero();
        assertThat(out.toString()).contains("Parsing is").doesNotContain("INVALID");
    }

    @Test
    @Tag("slow")
    void shouldMeasureRateAndLatencyFromKafkaToKafka() {
        int status = run("superchief --records 100k --per-window 20k --keys 1k --partitions 4 --runs 1 --heap 512m"
                + " --rate 2k --latency-windows 2 --latency-window 2");
        assertThat(status).as(out.toString()).isZero();
        assertThat(out.toString()).contains("messages/s per core", "p999").doesNotContain("INVALID");
    }

    @Test
    @Tag("slow")
    void shouldKillAProcessAndFindTheTotalsExact() {
        int status = run("recovery --records 400k --per-window 40k --keys 1k --partitions 6 --processes 2 --runs 1"
                + " --heap 512m");
        assertThat(status).as(out.toString()).isZero();
        assertThat(out.toString()).contains("totals exact");
    }

    @Test
    @Tag("slow")
    void shouldReplayAnHourUnderKillsAndFindTheTotalsExact() {
        int status = run("replay --records 120k --minutes 60 --keys 500 --partitions 6 --processes 2 --heap 256m"
                + " --rate 20k --faults 3 --fault-seconds 2");
        assertThat(status).as(out.toString()).isZero();
        assertThat(out.toString())
                .containsPattern("[1-9][0-9]* (kills|pauses)")
                .contains("longest silence: ", "each once, totals exact");
    }

    private int run(String arguments) {
        CommandLine line = AggregateBench.commandLine();
        line.setOut(new PrintWriter(out, true));
        line.setErr(new PrintWriter(err, true));
        return line.execute(arguments.isEmpty() ? new String[0] : arguments.split(" "));
    }
}
