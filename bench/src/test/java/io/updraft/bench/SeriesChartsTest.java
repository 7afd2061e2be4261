package io.updraft.bench;

import static org.assertj.core.api.Assertions.assertThat;

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
            series.add(series(BenchSide.UPDRAFT, "netty", size));
            series.add(series(BenchSide.UPDRAFT, "aeron", size));
            series.add(series(BenchSide.STORM, "", size));
        }

        List<Chart<?, ?>> charts = SeriesCharts.of(request("--workers 2 --messageSize 10,100"), series);

        assertThat(charts)
                .extracting(Chart::getTitle)
                .containsExactly("Messages per second by message size", "Megabytes per second by message size");
        assertThat(charts).allSatisfy(chart -> {
            XYChart lines = (XYChart) chart;
            assertThat(lines.getSeriesMap().keySet()).isEqualTo(Set.of("Updraft, netty", "Updraft, aeron", "Storm"));
            assertThat(lines.getSeriesMap().get("Storm").getXData()).containsExactly(10, 100);
        });
        Path file = directory.resolve("figure.png");
        SeriesCharts.write(file, charts);
        assertThat(ImageIO.read(file.toFile()).getHeight()).isGreaterThan(900);
    }

    private static Series series(BenchSide side, String transport, int size) {
        return new Series(
                side, transport, SampleSeries.shape(size), "defaults", List.of(SampleSeries.result(1_000_000)));
    }

    private static BenchRequest request(String arguments) {
        BenchCommand command = new BenchCommand();
        new CommandLine(command).parseArgs(arguments.split(" "));
        return new RequestReader(command).read();
    }
}
