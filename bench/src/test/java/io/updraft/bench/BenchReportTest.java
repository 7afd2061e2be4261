package io.updraft.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.base.json.Json;
import io.updraft.bench.spec.Shape;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import javax.imageio.ImageIO;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchReportTest {

    private final List<Series> series = List.of(
            SampleSeries.series(BenchSide.UPDRAFT, SampleSeries.shape(10), 900, 1000, 1200),
            SampleSeries.series(BenchSide.STORM, SampleSeries.shape(10), 40, 50, 60),
            SampleSeries.series(BenchSide.UPDRAFT, SampleSeries.shape(1000), 800, 900, 1000),
            SampleSeries.series(BenchSide.STORM, SampleSeries.shape(1000), 30, 40, 50));

    @Test
    void shouldShowMediansSpreadAndRatio() {
        assertThat(ReportTables.throughput(series).toText()).contains("sol 1-1 10B acked", "1,000", "900..1,200");
        assertThat(ReportTables.ratios(List.of(new SeriesPair(series.get(0), series.get(1))))
                        .toText())
                .contains("20.0x");
        assertThat(ReportTables.latency(series).toText()).contains("500.0 us");
    }

    @Test
    void shouldNameTheFrequenciesOfWordsWhenTheyAreNotTheUsualOnes() {
        Shape words = new Shape("wordcount", 1, 4, 1, 10, true, 0);

        assertThat(SampleSeries.series(BenchSide.UPDRAFT, words, 1).title()).isEqualTo("wordcount 1-2-4 acked");
        assertThat(SampleSeries.series(BenchSide.UPDRAFT, new Shape("wordcount", 1, 4, 1, 10, true, 0, 1.2), 1)
                        .title())
                .isEqualTo("wordcount 1-2-4 zipf 1.2 acked");
    }

    @Test
    void shouldCompareUpdraftWithEachOtherRuntime() {
        Series flink = SampleSeries.series(BenchSide.FLINK, SampleSeries.shape(10), 1250);

        assertThat(ReportTables.ratios(List.of(
                                new SeriesPair(series.get(0), series.get(1)), new SeriesPair(series.get(0), flink)))
                        .rows())
                .containsExactly(
                        List.of("sol 1-1 10B acked", "Updraft", "Storm", "1,000", "50", "20.0x", "20.0x"),
                        List.of("sol 1-1 10B acked", "Updraft", "Flink", "1,000", "1,250", "0.80x", "0.80x"));
    }

    @Test
    void shouldShowWhatAStormClusterCosts() {
        List<Series> all = List.of(
                onNetty(BenchSide.UPDRAFT, 1000),
                onNetty(BenchSide.UPDRAFT_ON_STORM, 900),
                onNetty(BenchSide.STORM, 100));

        assertThat(ReportTables.clusterCosts(all).rows())
                .singleElement()
                .asInstanceOf(InstanceOfAssertFactories.list(String.class))
                .startsWith("sol 1-1 10B acked", "netty", "1,000", "900", "90.0%");
        assertThat(ReportTables.betweenWorkers(all).toText()).contains("start s", "0.300");
    }

    private static Series onNetty(BenchSide side, double messagesPerSecond) {
        String transport = side == BenchSide.STORM ? "" : "netty";
        return new Series(
                side, transport, SampleSeries.shape(10), "defaults", List.of(SampleSeries.result(messagesPerSecond)));
    }

    @Test
    void shouldWriteJsonThatCanBeReadBack() {
        BenchReport report =
                new BenchReport(series, List.of(ReportTables.throughput(series)), List.of("a note"), List.of());

        assertThat(Json.readObject(report.json()))
                .containsEntry("valid", true)
                .containsEntry("notes", List.of("a note"))
                .hasEntrySatisfying("series", all -> assertThat((List<?>) all).hasSize(4));
    }

    @Test
    void shouldDrawASweepWithoutADisplay(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("sweep.png");

        SeriesCharts.write(file, SeriesCharts.ofSweep(series));

        assertThat(ImageIO.read(file.toFile()).getWidth()).isEqualTo(1000);
    }
}
