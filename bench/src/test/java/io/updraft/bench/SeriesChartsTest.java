package io.updraft.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.bench.option.BenchRequest;
import io.updraft.bench.option.BenchSide;
import io.updraft.bench.option.SeriesVariant;
import io.updraft.bench.report.PngChart;
import io.updraft.bench.report.SampleSeries;
import io.updraft.bench.report.Series;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.internal.chartpart.Chart;
import picocli.CommandLine;

class SeriesChartsTest {

    @TempDir
    private Path directory;

    @Test
    void shouldDrawALineForEachTransportAndForStormOverTheMessageSize() throws Exception {
        List<Series> series = new ArrayList<>();
        for (int size : List.of(10, 100)) {
            series.add(series(BenchSide.UPDRAFT, new SeriesVariant("netty", 0), size));
            series.add(series(BenchSide.UPDRAFT, new SeriesVariant("aeron", 0), size));
            series.add(series(BenchSide.STORM, SeriesVariant.NONE, size));
        }

        List<Chart<?, ?>> charts = SeriesCharts.of(request("--workers 2 --messageSize 10,100"), series);

        assertThat(charts)
                .extracting(Chart::getTitle)
                .containsExactly(
                        "Messages per second by message size",
                        "Megabytes per second by message size",
                        "CPU seconds of all workers per million messages",
                        "Context switches per 1,000 messages");
        assertThat(charts).allSatisfy(chart -> {
            XYChart lines = (XYChart) chart;
            assertThat(lines.getSeriesMap().keySet()).isEqualTo(Set.of("Updraft, netty", "Updraft, aeron", "Storm"));
            assertThat(lines.getSeriesMap().get("Storm").getXData()).containsExactly(10, 100);
        });
        Path file = directory.resolve("figure.png");
        PngChart.write(file, charts);
        assertThat(ImageIO.read(file.toFile()).getHeight()).isGreaterThan(1000);
    }

    @Test
    void shouldDrawDelayAndLoadOverTheTransferBuffer() {
        List<Series> series = List.of(
                series(BenchSide.UPDRAFT, new SeriesVariant("netty", 4096), 10),
                series(BenchSide.UPDRAFT, new SeriesVariant("netty", 8192), 10));

        List<Chart<?, ?>> charts = SeriesCharts.of(request("--workers 2 --transfer-buffer 4k,8k"), series);

        assertThat(charts).hasSize(3);
        assertThat(charts.get(0).getTitle()).startsWith("Processing delay by transfer buffer");
        assertThat(charts.get(1).getTitle()).startsWith("CPU load of all workers");
        assertThat(((XYChart) charts.get(1)).getSeriesMap().get("Updraft, netty"))
                .satisfies(line -> assertThat(line.getXData()).containsExactly(4096, 8192))
                // 20 CPU seconds in 10 seconds
                .satisfies(line -> assertThat(line.getYData()).containsExactly(200, 200));
    }

    private static Series series(BenchSide side, SeriesVariant variant, int size) {
        return new Series(side, variant, SampleSeries.shape(size), "defaults", List.of(SampleSeries.result(1_000_000)));
    }

    private static BenchRequest request(String arguments) {
        BenchCommand command = new BenchCommand();
        new CommandLine(command).parseArgs(arguments.split(" "));
        return new RequestReader(command).read();
    }
}
