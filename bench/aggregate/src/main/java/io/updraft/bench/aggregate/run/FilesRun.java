package io.updraft.bench.aggregate.run;

import io.updraft.base.json.Json;
import io.updraft.bench.aggregate.files.FilesMain;
import io.updraft.bench.aggregate.files.FilesSpec;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;

/** Runs of a pipeline that reads files, each in its own JVM. */
public final class FilesRun {

    private static final Duration LIMIT = Duration.ofMinutes(30);

    private FilesRun() {}

    /**
     * The result of a run.
     *
     * @param records the number of records read
     * @param recordsPerSecond records per second of the measurement
     * @param cpuPerMillion CPU seconds of the process per million records of the measurement
     */
    public record Result(long records, double recordsPerSecond, double cpuPerMillion) {}

    /**
     * Executes a run.
     *
     * @param heap the heap of the JVM
     * @throws IllegalStateException when the run fails; the message has the reason
     */
    public static Result run(FilesSpec spec, String heap) throws IOException, InterruptedException {
        try (PeerJvm child = new PeerJvm(FilesMain.class, Json.write(spec), heap, PeerClassPaths.updraft())) {
            Map<String, Object> said = child.await(LIMIT);
            return new Result(
                    (Long) said.get("records"),
                    ((Number) said.get("recordsPerSecond")).doubleValue(),
                    ((Number) said.get("cpuPerMillion")).doubleValue());
        }
    }
}
