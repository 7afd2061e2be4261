package io.updraft.console.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.updraft.base.json.JsonObject;
import io.updraft.observe.history.Histories;
import io.updraft.observe.history.PipelineRecorder;
import io.updraft.observe.inspection.RequestHandler;
import io.updraft.observe.pipeline.PartitionLag;
import io.updraft.observe.pipeline.PipelineWatermark;
import io.updraft.observe.view.Remark;
import io.updraft.observe.view.RemarkView;
import io.updraft.observe.view.Remarks;
import io.updraft.pipeline.run.Pipelines;
import io.updraft.pipeline.run.RunningPipeline;
import io.updraft.pipeline.spec.PipelineSpec;
import io.updraft.pipeline.spec.SpecReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PipelineRequestsTest {
    @TempDir
    Path directory;

    private static List<PartitionLag> lags(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> new PartitionLag("in-" + i, 1_000 - i, 0, Long.MIN_VALUE))
                .toList();
    }

    @Test
    void shouldNameAFewLaggingPartitionsAndCountTheOthers() {
        assertThat(lines(new PartitionLag.Ranking(lags(10), 90)))
                .containsExactly(
                        "lag: in-0 1,000 records behind",
                        "lag: in-1 999 records behind",
                        "lag: in-2 998 records behind",
                        "  ... and 97 more");
    }

    @Test
    void shouldCountNoOthersIfAllAreNamed() {
        assertThat(lines(new PartitionLag.Ranking(lags(3), 0))).hasSize(3);
        assertThat(lines(PartitionLag.Ranking.NONE)).isEmpty();
    }

    private static List<String> lines(PartitionLag.Ranking lags) {
        Remarks remarks = new Remarks();
        PipelineRequests.addLags(lags, remarks);
        return remarks.lines().stream().map(Remark::line).toList();
    }

    @Test
    void shouldDescribeARunningPipelineForTheConsole() throws Exception {
        Path data = Files.writeString(directory.resolve("a.csv"), "t,k,v\n1000,a,1\n9500,a,1\nnever,b,2\n1500,c,3\n");
        PipelineSpec spec = new SpecReader(Map.of()).read("test.yaml", """
                source: {file: %s, follow: true, resume: false}
                flatten: {fields: {t: {type: time, format: millis}, k: text, v: long}}
                aggregate: {group_by: k, measures: {n: count()}, every: 1s, limits: {memory: 8MB}}
                sinks: [{csv: "%s/out.csv"}]
                time: {field: t}
                keyed: true
                """.formatted(data, directory), "hosts");
        PipelineRecorder recorder = new PipelineRecorder(new Histories(), "hosts");
        try (RunningPipeline pipeline = Pipelines.start(spec)) {
            Map<String, RequestHandler> handlers =
                    PipelineRequests.handlers("hosts", pipeline, () -> "text", recorder::rates, pipeline::stop);
            Map<String, Object> live = handlers.get("live").answer(JsonObject.of());
            assertThat(member(live, "figures").get("recordsPerSecond")).isNull();
            while (pipeline.progress().late() == 0 || pipeline.watermark().watermark() == PipelineWatermark.UNKNOWN) {
                assertThat(pipeline.awaitEnd(Duration.ofMillis(20)))
                        .as(pipeline::failure)
                        .isFalse();
            }
            recorder.add(pipeline.progress(), List.of());
            live = handlers.get("live").answer(JsonObject.of());
            Map<?, ?> figures = member(live, "figures");
            assertThat(figures.get("records")).isEqualTo(4L);
            assertThat((Double) figures.get("recordsPerSecond")).isPositive();
            assertThat((Double) figures.get("rowsPerSecond"))
                    .isCloseTo((Double) figures.get("recordsPerSecond") * 3 / 4, within(1e-6));
            assertThat(figures.get("stateLimitBytes")).isEqualTo(8L << 20);
            assertThat((Long) figures.get("stateBytes")).isBetween(1L, 8L << 20);
            assertThat(figures.containsKey("spilledBytes")).isTrue();
            assertThat(figures.get("spilledBytes")).as("without a directory").isNull();
            assertThat(member(live, "watermark").get("watermark")).isEqualTo("1970-01-01T00:00:09.500Z");
            assertThat(member(live, "watermark").get("slowest")).isEqualTo(data.toString());
            assertThat(rows(member(member(live, "watermark"), "partitions")))
                    .isEqualTo(List.of(List.of(data.toString(), "1970-01-01T00:00:09.500Z")));
            assertThat(rows(member(live, "samples")))
                    .hasSize(2)
                    .anySatisfy(row ->
                            assertThat(row).startsWith("rejected").contains(data + " line 4 (byte 24)", "never,b,2"))
                    .anySatisfy(row -> assertThat(row).startsWith("late").contains(data + " line 5 (byte 34)"));
            assertThat(live.get("condition")).isEqualTo("running");
            assertThat(texts(live))
                    .containsExactly("1 of 4 records cannot be used", "1 of 4 records came too late for their windows");
            List<?> overview =
                    (List<?>) handlers.get("overview").answer(JsonObject.of()).get("topologies");
            assertThat(texts((Map<?, ?>) overview.get(0))).isEqualTo(texts(live));
        }
    }

    private static List<String> texts(Map<?, ?> state) {
        return ((List<?>) state.get("remarks"))
                .stream().map(remark -> ((RemarkView) remark).text()).toList();
    }

    private static Map<?, ?> member(Map<?, ?> of, String name) {
        return (Map<?, ?>) of.get(name);
    }

    private static List<List<Object>> rows(Map<?, ?> table) {
        return ((List<?>) table.get("rows"))
                .stream().map(row -> List.<Object>copyOf((List<?>) row)).toList();
    }
}
