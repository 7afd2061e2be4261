package io.updraft.observe.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.engine.snapshot.ComponentSnapshot;
import io.updraft.observe.metrics.ExpositionParser.Series;
import io.updraft.observe.process.JvmUsage;
import io.updraft.observe.process.OldObjects;
import io.updraft.observe.process.WorkerStatus;
import io.updraft.observe.view.Snapshots;
import io.updraft.observe.view.TopologySample;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class MetricsTextTest {
    private static final JvmUsage USAGE = new JvmUsage(9_000, 70, 100, new OldObjects(60, 80, 4), 3_000_000_000L, 500);
    private static final String HOSTILE = "a\"b\\c\nd\\n},e=\"f\u00fc \u00e9";

    private static Map<Series, Double> parse(ExpositionFormat format, TopologySample... samples) {
        return ExpositionParser.parse(text(format, samples), format == ExpositionFormat.OPENMETRICS);
    }

    private static String text(ExpositionFormat format, TopologySample... samples) {
        return MetricsText.of(new RunMetrics(() -> List.of(samples), () -> Duration.ZERO, false), format);
    }

    static TopologySample troubled(String name) {
        return new TopologySample(
                name,
                "inactive",
                Snapshots.atStart(),
                Snapshots.troubled(),
                List.of(
                        new WorkerStatus(0, 11, WorkerStatus.State.RUNNING, 0, 0, null, 0, USAGE, null),
                        new WorkerStatus(1, 12, WorkerStatus.State.DOWN, 0, 3, "killed", 0, null, null)));
    }

    private static Series worker(String name) {
        return new Series(name, Map.of("topology", "wordcount", "worker", "0"));
    }

    private static Series component(String name, String id) {
        return new Series("updraft_component_" + name, Map.of("topology", "wordcount", "component", id));
    }

    @ParameterizedTest
    @EnumSource
    void shouldWriteTheFiguresOfATopology(ExpositionFormat format) {
        assertThat(parse(format, troubled("wordcount")))
                .containsEntry(component("emitted_tuples_total", "lines"), 10_000.0)
                .containsEntry(component("executed_tuples_total", "split"), 9_930.0)
                .containsEntry(component("timed_out_trees_total", "lines"), 70.0)
                .containsEntry(component("dead_lettered_messages_total", "lines"), 3.0)
                .containsEntry(component("errors_total", "split"), 130.0)
                .containsEntry(component("restarts_total", "split"), 2.0)
                .containsEntry(component("busy_seconds_total", "split"), 2.0)
                .containsEntry(component("queued_tuples", "split"), 12.0)
                .containsEntry(component("in_flight_trees", "lines"), 70.0)
                .containsEntry(component("execute_latency_p99_seconds", "split"), 0.1)
                .containsEntry(component("complete_latency_p50_seconds", "lines"), 0.03)
                .doesNotContainKey(component("complete_latency_p50_seconds", "split"))
                .containsEntry(component("stuck_calls", "count"), 1.0)
                .containsEntry(component("longest_call_seconds", "count"), 105.0)
                .containsEntry(component("stuck_calls", "split"), 0.0)
                .containsEntry(
                        new Series("updraft_loop_busy_seconds_total", Map.of("topology", "wordcount", "loop", "1")),
                        2.0)
                .containsEntry(new Series("updraft_worker_up", Map.of("topology", "wordcount", "worker", "1")), 0.0)
                .containsEntry(
                        new Series("updraft_worker_restarts_total", Map.of("topology", "wordcount", "worker", "1")),
                        3.0)
                .containsEntry(worker("updraft_worker_heap_used_bytes"), 70.0)
                .containsEntry(worker("updraft_worker_heap_max_bytes"), 100.0)
                .containsEntry(worker("updraft_worker_heap_after_collection_ratio"), 0.75)
                .containsEntry(worker("updraft_worker_cpu_seconds_total"), 3.0)
                .containsEntry(worker("updraft_worker_gc_seconds_total"), 0.5)
                .containsKey(new Series("updraft_jvm_heap_used_bytes", Map.of()))
                .containsKey(new Series("updraft_process_cpu_seconds_total", Map.of()));
    }

    private static Series bucket(String name, String id, String le) {
        return new Series(
                "updraft_component_" + name + "_bucket", Map.of("topology", "wordcount", "component", id, "le", le));
    }

    @ParameterizedTest
    @EnumSource
    void shouldWriteHistogramsOfLatencies(ExpositionFormat format) {
        Map<Series, Double> values = parse(format, troubled("wordcount"));
        assertThat(values)
                .containsEntry(bucket("execute_latency_seconds", "split", "1e-06"), 0.0)
                .containsEntry(bucket("execute_latency_seconds", "split", "3e-06"), 990.0)
                .containsEntry(bucket("execute_latency_seconds", "split", "1e-05"), 1_000.0)
                .containsEntry(bucket("execute_latency_seconds", "split", "100.0"), 1_000.0)
                .containsEntry(bucket("execute_latency_seconds", "split", "+Inf"), 1_000.0)
                .containsEntry(component("execute_latency_seconds_count", "split"), 1_000.0)
                .containsEntry(component("complete_latency_seconds_sum", "lines"), 30.0)
                .doesNotContainKey(component("complete_latency_seconds_count", "split"));
        assertThat(values.keySet().stream()
                        .filter(series -> series.labels().containsValue("split"))
                        .map(series -> series.labels().get("le"))
                        .filter(le -> le != null))
                .containsExactly(
                        "1e-06", "3e-06", "1e-05", "3e-05", "0.0001", "0.0003", "0.001", "0.003", "0.01", "0.03", "0.1",
                        "0.3", "1.0", "3.0", "10.0", "30.0", "100.0", "+Inf");
    }

    @ParameterizedTest
    @EnumSource
    void shouldEscapeNames(ExpositionFormat format) {
        TopologySample sample = new TopologySample(
                HOSTILE,
                "running",
                null,
                Snapshots.snapshot(1, List.of(Snapshots.component(HOSTILE, false))),
                List.of());
        assertThat(parse(format, sample))
                .containsEntry(
                        new Series("updraft_component_tasks", Map.of("topology", HOSTILE, "component", HOSTILE)), 1.0);
    }

    @ParameterizedTest
    @EnumSource
    void shouldTellTopologiesOfTheSameNameApart(ExpositionFormat format) {
        assertThat(parse(format, troubled("words"), troubled("words"), troubled("words#2")).keySet().stream()
                        .map(series -> series.labels().get("topology"))
                        .filter(name -> name != null)
                        .collect(Collectors.toSet()))
                .isEqualTo(Set.of("words", "words#2", "words#2#2"));
    }

    @ParameterizedTest
    @EnumSource
    void shouldLimitTheComponents(ExpositionFormat format) {
        List<ComponentSnapshot> many = new ArrayList<>();
        for (int component = 0; component < TopologyFigures.MAX_COMPONENTS + 7; component++) {
            many.add(Snapshots.component("c" + component, false));
        }
        TopologySample sample = new TopologySample("wide", "running", null, Snapshots.snapshot(1, many), List.of());
        Map<Series, Double> values = parse(format, sample, troubled("wordcount"));
        assertThat(values.keySet().stream().filter(series -> series.name().equals("updraft_component_tasks")))
                .hasSize(TopologyFigures.MAX_COMPONENTS);
        assertThat(values).containsEntry(new Series("updraft_omitted_components", Map.of()), 10.0);
        assertThat(text(ExpositionFormat.PROMETHEUS, sample))
                .contains("# only 2000 components are shown; 7 are left out\n");
    }

    @Test
    void shouldDescribeUnitsInOpenMetrics() {
        assertThat(text(ExpositionFormat.OPENMETRICS, troubled("wordcount")))
                .contains(
                        "# TYPE updraft_component_busy_seconds counter\n# UNIT updraft_component_busy_seconds seconds\n")
                .endsWith("\n# EOF\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''|PROMETHEUS",
                "*/*|PROMETHEUS",
                "text/plain|PROMETHEUS",
                "application/openmetrics-text|OPENMETRICS",
                "application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3,*/*;q=0.2|OPENMETRICS",
                "text/plain;version=0.0.4;q=0.9, application/openmetrics-text; q=0.3|PROMETHEUS",
                "application/openmetrics-text;q=0|PROMETHEUS",
                "application/openmetrics-text;q=nonsense;;=,|PROMETHEUS",
                ",;,=|PROMETHEUS",
            })
    void shouldWriteTheFormatThatTheClientPrefers(String accept, ExpositionFormat expected) {
        assertThat(ExpositionFormat.accepted(accept)).isEqualTo(expected);
    }

    @Test
    void shouldSayWhyATopologyIsNotReady() {
        RunMetrics source = new RunMetrics(() -> List.of(troubled("wordcount")), () -> Duration.ofSeconds(31), false);
        assertThat(source.ready().ok()).isFalse();
        assertThat(source.ready().lines())
                .hasSize(3)
                .startsWith("topology 'wordcount' is inactive", "topology 'wordcount': worker 1 is down")
                .last()
                .asString()
                .startsWith("note: topology 'wordcount': count task 3 in execute() for 1m45s at Count.java:17");
        assertThat(source.live())
                .isEqualTo(new HealthReport(false, List.of("the topologies were not sampled for 31 s")));
    }

    @Test
    void shouldBeReadyInSpiteOfAStuckCall() {
        TopologySample sample = new TopologySample("wordcount", "running", null, Snapshots.troubled(), List.of());
        HealthReport report = new RunMetrics(() -> List.of(sample), () -> Duration.ZERO, false).ready();
        assertThat(report.ok()).isTrue();
        assertThat(report.lines()).hasSize(2).startsWith("ready");
    }

    @Test
    void shouldBeReadyWithoutATopologyOnlyAsAServer() {
        assertThat(new RunMetrics(List::of, () -> Duration.ZERO, true).ready().ok())
                .isTrue();
        assertThat(new RunMetrics(List::of, () -> Duration.ZERO, false).ready())
                .isEqualTo(new HealthReport(false, List.of("no topology runs")));
    }
}
