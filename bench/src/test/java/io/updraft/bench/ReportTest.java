package io.updraft.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.bench.spec.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import javax.imageio.ImageIO;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {

    private final List<Series> series = List.of(
            Some.series(Side.UPDRAFT, Some.shape(10), 900, 1000, 1200),
            Some.series(Side.STORM, Some.shape(10), 40, 50, 60),
            Some.series(Side.UPDRAFT, Some.shape(1000), 800, 900, 1000),
            Some.series(Side.STORM, Some.shape(1000), 30, 40, 50));

    @Test
    void shouldShowMediansSpreadAndRatio() {
        assertThat(Tables.throughput(series).toText()).contains("sol 1-1 10B acked", "1,000", "900..1,200");
        assertThat(Tables.ratios(List.of(new Pair(series.get(0), series.get(1))))
                        .toText())
                .contains("20.0x");
        assertThat(Tables.latency(series).toText()).contains("500.0 us");
    }

    @Test
    void shouldShowWhatAStormClusterCosts() {
        List<Series> all =
                List.of(onNetty(Side.UPDRAFT, 1000), onNetty(Side.UPDRAFT_ON_STORM, 900), onNetty(Side.STORM, 100));

        assertThat(Tables.clusterCosts(all).rows())
                .singleElement()
                .asInstanceOf(InstanceOfAssertFactories.list(String.class))
                .startsWith("sol 1-1 10B acked", "netty", "1,000", "900", "90.0%");
        assertThat(Tables.betweenWorkers(all).toCsv()).contains("start s", "0.300");
    }

    private static Series onNetty(Side side, double messagesPerSecond) {
        Variant variant = side == Side.STORM ? Variant.NONE : new Variant("netty", 0);
        return new Series(side, variant, Some.shape(10), "defaults", List.of(Some.result(messagesPerSecond)));
    }

    @Test
    void shouldWriteJsonThatCanBeReadBack() {
        Report report = new Report(series, List.of(Tables.throughput(series)), List.of("a note"), List.of());

        assertThat(Json.readObject(report.render(Format.JSON)))
                .containsEntry("valid", true)
                .containsEntry("notes", List.of("a note"))
                .hasEntrySatisfying("series", all -> assertThat((List<?>) all).hasSize(4));
    }

    @Test
    void shouldDrawASweepWithoutADisplay(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("sweep.png");

        Plot.write(file, Charts.ofSweep(series));

        assertThat(ImageIO.read(file.toFile()).getWidth()).isEqualTo(1000);
    }

    @Test
    void shouldWarnOfAMachineThatIsTooSmallOrBusy() {
        assertThat(Machine.warnings(4, 0.5)).isEmpty();
        assertThat(Machine.warnings(1, 0.1)).singleElement().asString().contains("only 1 core");
        assertThat(Machine.warnings(2, 1.7)).singleElement().asString().contains("load average is 1.7");
    }
}
