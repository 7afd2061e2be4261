package io.updraft.bench.aggregate;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class AggregateBenchTest {

    @TempDir
    private Path directory;

    private final AggregateBenchRun bench = new AggregateBenchRun();

    @Test
    void shouldSayInOneLineWhatIsWrongWithTheCommandLine() {
        assertThat(bench.run("")).isEqualTo(2);
        assertThat(bench.run("peers --records many")).isEqualTo(2);
        assertThat(bench.run("peers --keys 3")).isEqualTo(2);
        assertThat(bench.run("ericsson-table --dims 0")).isEqualTo(2);
        assertThat(bench.run("ericsson-table --parallelism 1,0")).isEqualTo(2);
        assertThat(bench.run("ericsson-table --plot missing/curve.png")).isEqualTo(2);
        assertThat(bench.run("ericsson-table --on storm-cluster")).isEqualTo(2);
        assertThat(bench.run("ericsson-table --workers 2 --on flink")).isEqualTo(2);
        assertThat(bench.run("ericsson-table --parallelism 1,2 --workers 2,5")).isEqualTo(2);
        assertThat(bench.err().lines())
                .hasSize(9)
                .allMatch(line -> line.startsWith("updraft bench aggregate: "))
                .anyMatch(line -> line.endsWith("no experiment given; --help lists the experiments"))
                .anyMatch(line -> line.contains("'many' is not a whole number such as 500, 10k or 20m"))
                .anyMatch(line -> line.endsWith("3 keys cannot fill 64 partitions"))
                .anyMatch(line -> line.endsWith("--dims and --measures must be at least 1"))
                .anyMatch(line -> line.endsWith("--parallelism, --workers and --spouts must be at least 1"))
                .anyMatch(
                        line -> line.endsWith("--plot missing/curve.png must be a .png file in an existing directory"))
                .anyMatch(line ->
                        line.endsWith("--on storm-cluster: applies only between workers: add --workers 2 or more"))
                .anyMatch(line -> line.endsWith("--on flink: must be 'storm-cluster'"))
                .anyMatch(line ->
                        line.endsWith("--workers 5: the topology has only 4 executors; use at most as many workers"));
    }

    @Test
    @Tag("long")
    void shouldHaveEverySystemComputeWhatTheModelDoes() {
        int status = bench.run("peers --records 60k --per-window 20k --keys 1k --partitions 4 --runs 1 --heap 512m"
                + " -c session=30s");
        assertThat(status).as(bench.out()).isZero();
        assertThat(bench.out())
                .contains("Updraft", "Flink", "Kafka Streams", "Storm")
                .doesNotContain("INVALID");
    }

    @Test
    @Tag("long")
    void shouldMeasureAggregationAlone() {
        int status = bench.run("ericsson-table --keys 100,1k --runs 1 --heap 512m --warmup 0.2 --testTime 0.5");
        assertThat(status).as(bench.out()).isZero();
        assertThat(bench.out()).contains("bytes/key").doesNotContain("INVALID");
    }

    @Test
    void shouldMarkThePeakOfTheWholeJobOverTheParallelism() {
        Path chart = directory.resolve("curve.png");
        int status = bench.run("ericsson-table --job whole --keys 100 --parallelism 1,2 --spouts 2 --runs 1 --heap 256m"
                + " --warmup 0.1 --testTime 0.2 --plot " + chart);
        assertThat(status).as(bench.out()).isZero();
        assertThat(bench.out()).contains("The whole job").doesNotContain("INVALID", "NaN", "alone");
        assertThat(bench.out().lines().filter(line -> line.contains(" peak "))).hasSize(1);
        assertThat(chart).isNotEmptyFile();
    }

    @Test
    @Tag("long")
    void shouldCheckTheTotalsOfAggregationInSeveralWorkers() {
        int status =
                bench.run("ericsson-table --keys 100 --parallelism 1,3 --workers 1,2 --spouts 2 --runs 1 --heap 256m"
                        + " --warmup 0.2 --testTime 0.5");
        assertThat(status).as(bench.out()).isZero();
        assertThat(bench.out()).contains("updraft, 2 workers", "alone").doesNotContain("INVALID", "NaN");
        assertThat(bench.out().lines().filter(line -> line.contains(" peak "))).hasSize(2);
    }

    @Test
    @Tag("long")
    void shouldMeasureTheWholeJobOnAStormClusterBesideLocalWorkers() {
        int status = bench.run("ericsson-table --job whole --keys 100 --workers 2 --on storm-cluster --runs 1"
                + " --heap 256m --warmup 0.2 --testTime 0.5");
        assertThat(status).as(bench.out()).isZero();
        assertThat(bench.out()).contains("updraft, 2 workers").doesNotContain("INVALID", "NaN");
        assertThat(bench.out().lines().filter(line -> line.matches(".* keys  updraft on Storm, 2 workers .*1 of 1")))
                .as("records that crossed")
                .hasSize(1)
                .noneMatch(line -> line.contains(" 0.0%"));
    }

    /** The runtime starts fewer workers, and the run would wait for the others. */
    @Test
    @Tag("long")
    void shouldSayWhichPointsOfASweepAreLeftOutBecauseAWorkerWouldHaveNoExecutor() {
        int status = bench.run("ericsson-table --keys 100 --parallelism 1,2 --workers 4 --runs 1 --heap 256m"
                + " --warmup 0.2 --testTime 0.5");
        assertThat(status).as(bench.out()).isZero();
        assertThat(bench.out())
                .containsOnlyOnce("left out: 4 workers with parallelism 1: the topology has only 3 executors")
                .doesNotContain("INVALID");
    }

    @Test
    void shouldCompareFilesWithDuckDb() {
        int status = bench.run("files --shape ericsson --records 2k --groups 50 --vs duckdb --runs 1");
        assertThat(status).as(bench.out()).isZero();
        assertThat(bench.out())
                .contains("2,000 records of 50 groups", "Updraft", "DuckDB", "the query alone")
                .doesNotContain("INVALID", "Flink");
    }

    @Test
    @Tag("long")
    void shouldCompareFilesOfBothShapesWithDuckDbAndFlink() {
        int status = bench.run("files --records 1k,30k --vs duckdb,flink --runs 1 --heap 512m");
        assertThat(status).as(bench.out()).isZero();
        assertThat(bench.out()).contains("stations", "ericsson", "Flink").doesNotContain("INVALID");
    }

    @Test
    void shouldSplitTheCpuTimeOfAPipelineIntoParts() {
        int status = bench.run("ericsson-pipeline --records 2k --keys 50 --runs 1 --heap 256m");
        assertThat(status).as(bench.out()).isZero();
        assertThat(bench.out())
                .contains("read ", "decode ", "aggregate ", "results ", "crossing ", "JIT and GC ", "100.0%")
                .doesNotContain("INVALID", "NaN");
    }
}
