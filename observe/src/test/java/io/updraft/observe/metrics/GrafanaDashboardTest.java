package io.updraft.observe.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.engine.snapshot.Move;
import io.updraft.observe.metrics.ExpositionParser.Series;
import io.updraft.observe.pipeline.ObservedPipeline;
import io.updraft.observe.pipeline.PartitionLag;
import io.updraft.observe.pipeline.PipelineProgress;
import io.updraft.observe.pipeline.PipelineWatermark;
import io.updraft.observe.pipeline.RejectedSample;
import io.updraft.observe.pipeline.SourceProgress;
import io.updraft.observe.pipeline.WindowMemory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.storm.shade.net.minidev.json.JSONArray;
import org.apache.storm.shade.net.minidev.json.JSONObject;
import org.apache.storm.shade.net.minidev.json.JSONValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The figures that the documentation names are those that a run serves. */
class GrafanaDashboardTest {
    private static final Path DOCS = Path.of("..", "docs");
    private static final Pattern NAME = Pattern.compile("updraft_[a-z0-9_]+");

    /** A pipeline that has done a bit of everything. */
    private static final class BusyPipeline implements ObservedPipeline {
        @Override
        public PipelineProgress progress() {
            return new PipelineProgress(
                    10,
                    9,
                    1,
                    2,
                    2,
                    2,
                    3,
                    4,
                    5,
                    6,
                    7,
                    8,
                    100,
                    11,
                    12,
                    13,
                    new PipelineProgress.Route(Map.of("a", 4L, "b", 5L), 1, 2, 3),
                    List.of(
                            new SourceProgress(1, -1, 77, "records"),
                            new SourceProgress(1, 5, -1, "bytes"),
                            new SourceProgress(1, 5, 4, "bytes")));
        }

        @Override
        public String failure() {
            return null;
        }

        @Override
        public PartitionLag.Ranking lags() {
            return new PartitionLag.Ranking(
                    List.of(
                            new PartitionLag("in-1", 0, 14_500, 1_000),
                            new PartitionLag("in-2", 70, -1, Long.MIN_VALUE),
                            new PartitionLag("in-3", -1, 0, Long.MIN_VALUE)),
                    5);
        }

        @Override
        public List<Move> moves() {
            return List.of();
        }

        @Override
        public List<String> troubles() {
            return List.of();
        }

        @Override
        public List<RejectedSample> rejected() {
            return List.of();
        }

        @Override
        public PipelineWatermark watermark() {
            return PipelineWatermark.NONE;
        }

        @Override
        public WindowMemory memory() {
            return null;
        }
    }

    private static Map<Series, Double> pipeline(ExpositionFormat format) {
        PipelineMetrics source = new PipelineMetrics("hosts");
        source.started(new BusyPipeline());
        return ExpositionParser.parse(MetricsText.of(source, format), format == ExpositionFormat.OPENMETRICS);
    }

    private static Set<String> served() {
        RunMetrics topologies =
                new RunMetrics(() -> List.of(MetricsTextTest.troubled("wordcount")), () -> Duration.ZERO, false);
        Set<String> names = names(pipeline(ExpositionFormat.PROMETHEUS));
        names.addAll(names(ExpositionParser.parse(MetricsText.of(topologies, ExpositionFormat.PROMETHEUS), false)));
        return names;
    }

    private static Set<String> names(Map<Series, Double> values) {
        return values.keySet().stream().map(Series::name).collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> namedIn(String file) throws IOException {
        Set<String> names = new TreeSet<>();
        Matcher matcher = NAME.matcher(Files.readString(DOCS.resolve(file)));
        while (matcher.find()) {
            names.add(matcher.group());
        }
        return names;
    }

    @ParameterizedTest
    @ValueSource(strings = {"grafana-dashboard.json", "alerts.yaml", "monitoring.md"})
    void shouldNameOnlyFiguresThatARunServes(String file) throws IOException {
        assertThat(namedIn(file)).isNotEmpty().isSubsetOf(served());
    }

    @Test
    void shouldDescribeEachFigure() throws IOException {
        assertThat(namedIn("monitoring.md")).containsAll(served());
    }

    @Test
    void shouldHavePanelsWithQueries() throws IOException {
        JSONObject dashboard = (JSONObject) JSONValue.parse(Files.readString(DOCS.resolve("grafana-dashboard.json")));
        for (Object each : (JSONArray) dashboard.get("panels")) {
            JSONObject panel = (JSONObject) each;
            if (!panel.get("type").equals("row")) {
                assertThat((JSONArray) panel.get("targets"))
                        .as("%s", panel.get("title"))
                        .isNotEmpty();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldWriteTheFiguresOfAPipeline(ExpositionFormat format) {
        Map<String, String> hosts = Map.of("pipeline", "hosts");
        assertThat(pipeline(format))
                .containsEntry(new Series("updraft_pipeline_running", hosts), 1.0)
                .containsEntry(new Series("updraft_pipeline_records_total", hosts), 10.0)
                .containsEntry(new Series("updraft_pipeline_late_rows_total", hosts), 2.0)
                .containsEntry(new Series("updraft_pipeline_state_bytes", hosts), 7.0)
                .containsEntry(new Series("updraft_pipeline_delivered_records_total", hosts), 9.0)
                .containsEntry(
                        new Series("updraft_pipeline_source_lag_records", Map.of("pipeline", "hosts", "source", "0")),
                        77.0)
                .containsEntry(
                        new Series("updraft_pipeline_source_lag_bytes", Map.of("pipeline", "hosts", "source", "2")),
                        4.0)
                .doesNotContainKey(
                        new Series("updraft_pipeline_source_lag_bytes", Map.of("pipeline", "hosts", "source", "1")))
                .containsEntry(new Series("updraft_pipeline_partition_lag_records", partition(2)), 70.0)
                .doesNotContainKey(new Series("updraft_pipeline_partition_lag_records", partition(3)))
                .containsEntry(new Series("updraft_pipeline_partition_time_lag_seconds", partition(1)), 14.5)
                .doesNotContainKey(new Series("updraft_pipeline_partition_time_lag_seconds", partition(2)));
    }

    private static Map<String, String> partition(int index) {
        return Map.of("pipeline", "hosts", "partition", "in-" + index);
    }

    @Test
    void shouldBeReadyFromTheStartOfThePipelineUntilItStops() {
        PipelineMetrics source = new PipelineMetrics("hosts");
        assertThat(source.ready()).isEqualTo(new HealthReport(false, List.of("pipeline 'hosts' has not started")));
        source.started(new BusyPipeline());
        assertThat(source.ready()).isEqualTo(new HealthReport(true, List.of("ready")));
        source.stops();
        assertThat(source.ready())
                .isEqualTo(new HealthReport(false, List.of("pipeline 'hosts' writes its last results")));
    }
}
