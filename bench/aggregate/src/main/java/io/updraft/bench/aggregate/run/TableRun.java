package io.updraft.bench.aggregate.run;

import io.updraft.base.json.Json;
import io.updraft.bench.aggregate.table.TableMain;
import io.updraft.bench.aggregate.table.TableSpec;
import io.updraft.bench.process.ChildJvm;
import io.updraft.bench.process.ChildLost;
import io.updraft.bench.process.TemporaryTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Runs of aggregation alone, each in its own JVM. */
public final class TableRun {

    private static final Duration OVERHEAD = Duration.ofMinutes(5);

    private TableRun() {}

    /**
     * The result of a run.
     *
     * @param recordsPerSecond records per second of the measurement
     * @param cpuPerMillion CPU seconds of the process per million records; NaN if not measured
     * @param bytesPerGroup the aggregator's bytes per group; NaN if not measured
     * @param problems the problems; empty if every record was counted and all sums are right
     */
    public record Result(double recordsPerSecond, double cpuPerMillion, double bytesPerGroup, List<String> problems) {

        /** {@return whether the run has no problems} */
        public boolean valid() {
            return problems.isEmpty();
        }
    }

    /**
     * Executes a run.
     *
     * @param heap the heap of the JVM
     * @return the result, also when the run failed
     */
    public static Result run(TableSpec spec, String heap) throws IOException, InterruptedException {
        Duration limit = OVERHEAD.plusMillis(spec.warmupMillis() + spec.testMillis());
        Path directory = Files.createTempDirectory("updraft-bench-");
        try {
            Map<String, Object> figures = run(spec, heap, directory, limit);
            TemporaryTree.delete(directory);
            return new Result(
                    number(figures, "recordsPerSecond"),
                    number(figures, "cpuPerMillion"),
                    number(figures, "bytesPerGroup"),
                    ((List<?>) figures.getOrDefault("problems", List.of()))
                            .stream().map(Object::toString).toList());
        } catch (ChildLost e) {
            return new Result(Double.NaN, Double.NaN, Double.NaN, List.of(e.getMessage()));
        }
    }

    private static Map<String, Object> run(TableSpec spec, String heap, Path directory, Duration limit)
            throws IOException, InterruptedException {
        try (ChildJvm child =
                new ChildJvm(TableMain.class, PeerClassPaths.updraft(), heap, directory, PeerJvm.OPTIONS)) {
            child.say(spec);
            return Json.readObject(child.await(limit).json());
        }
    }

    private static double number(Map<String, Object> figures, String name) {
        Object value = figures.get(name);
        return value == null ? Double.NaN : ((Number) value).doubleValue();
    }
}
