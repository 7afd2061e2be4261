package io.updraft.pipeline.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.pipeline.spec.AggregateSpec;
import io.updraft.pipeline.spec.SpecReader;
import io.updraft.timeseries.aggregate.AggregatorOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Limits of groups and memory are those of the whole pipeline, however many partitions and tasks it has. */
final class LimitsTest {

    @TempDir
    Path directory;

    @Test
    void shouldHoldTheLimitOfGroupsOverAllPartitionsThatAreAggregatedOnTheirOwn() throws Exception {
        for (int file = 0; file < 8; file++) {
            write("unit" + file, "unit" + file + "-", 20);
        }
        assertThat(failure(true, "groups: 100", true)).contains("the limit is 100: raise the limit of groups");
        assertThat(failure(true, "groups: 160", false)).isNull();
        assertThat(results()).hasSize(160);
    }

    @Test
    void shouldCountGroupsOnceThatSeveralTasksHave() throws Exception {
        for (int file = 0; file < 8; file++) {
            write("unit" + file, "name", 60);
        }
        assertThat(failure(false, "groups: 59", false)).contains("the limit is 59: raise the limit of groups");
        assertThat(failure(false, "groups: 60", false)).isNull();
        assertThat(results()).hasSize(60).allMatch(line -> line.endsWith(",8"));
    }

    @Test
    void shouldEvictGroupsBeyondTheLimitWhicheverPartitionHasThem() throws Exception {
        for (int file = 0; file < 8; file++) {
            write("unit" + file, "unit" + file + "-", 100);
        }
        assertThat(failure(true, "groups: 50, spill: %s".formatted(directory.resolve("spill")), false))
                .isNull();
        assertThat(results()).hasSize(800).allMatch(line -> line.endsWith(",1"));
    }

    @Test
    void shouldBeginToSpillBeforeTheHeapEnds() {
        long heap = Runtime.getRuntime().maxMemory();
        AggregatorOptions asked = Pipelines.limits(new AggregateSpec.Limits(0, 100 * heap, directory));
        AggregatorOptions notAsked = Pipelines.limits(new AggregateSpec.Limits(0, 0, directory));
        assertThat(asked.maxBytes()).isEqualTo(heap / 2);
        assertThat(notAsked.maxBytes()).isEqualTo(heap / 4);
    }

    @Test
    void shouldNotAdviseToSpillWhereGroupsSpill() {
        assertThat(outOfMemory(null)).contains("can spill them to disk", "-Xmx");
        assertThat(outOfMemory(directory)).contains("lower 'memory'", "-Xmx").doesNotContain("can spill");
    }

    private static String outOfMemory(Path spill) {
        AggregatorOptions limits = new AggregatorOptions(Long.MAX_VALUE, Long.MAX_VALUE, spill);
        RunPlan.Aggregation plan = new RunPlan.Aggregation(null, null, null, null, limits, null, null, null, null);
        return RunningPipeline.outOfMemory("Java heap space", plan);
    }

    private void write(String file, String prefix, int groups) throws Exception {
        StringBuilder lines = new StringBuilder("name,value\n");
        for (int i = 0; i < groups; i++) {
            lines.append(prefix).append(i).append(",1\n");
        }
        Files.writeString(directory.resolve(file + ".csv"), lines);
    }

    private TreeSet<String> results() throws Exception {
        try (var lines = Files.lines(directory.resolve("results"))) {
            TreeSet<String> results = new TreeSet<>(lines.skip(1).toList());
            return results;
        }
    }

    /** Files that are followed have no end, so that all their windows are open together. */
    private String failure(boolean keyed, String limits, boolean follow) throws Exception {
        String yaml = """
                source: {file: "%s/unit*.csv", follow: %s, resume: false}
                aggregate: {group_by: name, measures: {n: count()}, limits: {%s}}
                keyed: %s
                parallelism: 4
                sinks: [{csv: "%s/results"}]
                """.formatted(directory, follow, limits, keyed, directory);
        try (RunningPipeline running = Pipelines.start(new SpecReader(Map.of()).read("test.yaml", yaml, "test"))) {
            assertThat(running.awaitEnd(Duration.ofMinutes(4))).as("ended").isTrue();
            return running.failure();
        }
    }
}
