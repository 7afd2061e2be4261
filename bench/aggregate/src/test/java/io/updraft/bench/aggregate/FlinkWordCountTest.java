package io.updraft.bench.aggregate;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.bench.BenchClassPaths;
import io.updraft.bench.BenchSide;
import io.updraft.bench.HarnessJvm;
import io.updraft.bench.spec.RunResult;
import io.updraft.bench.spec.RunSpec;
import io.updraft.bench.spec.Shape;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Real runs on Flink's mini cluster. */
@Tag("long")
final class FlinkWordCountTest {

    private static final Shape WORDS = new Shape("wordcount", 1, 4, 1, 10, false, 0);

    @Test
    void shouldCountAllWordsOfTwoSources() throws Exception {
        RunResult result = run(Map.of("parallelism.default", 2));

        assertThat(result.problems()).isEmpty();
        assertThat(result.counts().completed()).isPositive();
        assertThat(result.total().emitted()).isEqualTo(result.total().completed());
    }

    @Test
    void shouldCountTheWordsOfAnotherText() throws Exception {
        assertThat(run(new Shape("wordcount", 1, 4, 1, 10, false, 0, 1.5), Map.of("parallelism.default", 1))
                        .problems())
                .isEmpty();
    }

    @Test
    void shouldSayWhyTheJobFailed() throws Exception {
        RunResult result = run(Map.of("parallelism.default", 1, "taskmanager.memory.network.max", "64kb"));

        assertThat(result.problems())
                .singleElement()
                .asString()
                .startsWith("the job failed: ")
                .contains("Insufficient number of network buffers");
    }

    private RunResult run(Map<String, Object> conf) throws Exception {
        return run(WORDS, conf);
    }

    private RunResult run(Shape shape, Map<String, Object> conf) throws Exception {
        try (HarnessJvm child = new HarnessJvm(BenchClassPaths.updraft(), "512m", List.of())) {
            return child.run(new RunSpec(BenchSide.FLINK.localClass(), shape, conf, 200, 1000, 0), row -> {});
        }
    }
}
