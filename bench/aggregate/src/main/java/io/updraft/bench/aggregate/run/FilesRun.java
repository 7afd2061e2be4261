package io.updraft.bench.aggregate.run;

import io.updraft.bench.aggregate.files.FilesMain;
import io.updraft.bench.aggregate.files.FilesSpec;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;

/** Runs of a pipeline from files, each in a JVM of its own. */
public final class FilesRun {

    private static final Duration LIMIT = Duration.ofMinutes(30);

    private FilesRun() {}

    /**
     * How a run went.
     *
     * @param records that were read
     * @param recordsPerSecond of the measured part
     * @param cpuPerMillion CPU seconds of the process for a million records, of the measured part
     */
    public record Result(long records, double recordsPerSecond, double cpuPerMillion) {}

    /**
     * Runs.
     *
     * @param spec what
     * @param heap of the JVM
     * @return how it went
     * @throws IOException when no JVM can be started
     * @throws InterruptedException when this thread is interrupted
     * @throws IllegalStateException when it goes wrong; the message says how
     */
    public static Result run(FilesSpec spec, String heap) throws IOException, InterruptedException {
        try (ChildJvm child = new ChildJvm(FilesMain.class, spec.toJson(), heap, ClassPaths.updraft())) {
            Map<String, Object> said = child.await(LIMIT);
            return new Result(
                    (Long) said.get("records"),
                    ((Number) said.get("recordsPerSecond")).doubleValue(),
                    ((Number) said.get("cpuPerMillion")).doubleValue());
        }
    }
}
