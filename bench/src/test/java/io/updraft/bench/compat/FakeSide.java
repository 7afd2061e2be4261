package io.updraft.bench.compat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What one side did, made up: writes the files that a run leaves behind, and reads them as the survey does. */
final class FakeSide {
    private final Path directory;
    private final List<String> probed = new ArrayList<>();
    private final List<String> printed = new ArrayList<>();
    private String end = BehaviourObservation.STOPPED;

    private FakeSide(Path directory) {
        this.directory = directory;
    }

    /** A side on which nothing was seen. */
    static FakeSide empty(Path directory) {
        return new FakeSide(directory);
    }

    /** A spout "lines" with a bolt "words" behind it, which both did something. */
    static FakeSide ran(Path directory) {
        return empty(directory)
                .saw("topology\twords\t1")
                .saw("executors\tlines\t1")
                .saw("executors\twords\t2")
                .saw("tasks\tlines\t1")
                .saw("tasks\twords\t2")
                .saw("emitted\tlines\tdefault\t100")
                .saw("executed\twords\tlines:default\t100");
    }

    /** Adds a line as the probe writes it. */
    FakeSide saw(String line) {
        probed.add(line);
        return this;
    }

    /** Takes away what the probe wrote of something. */
    FakeSide notSaw(String beginning) {
        probed.removeIf(line -> line.startsWith(beginning));
        return this;
    }

    FakeSide printed(String... lines) {
        printed.addAll(List.of(lines));
        return this;
    }

    FakeSide ended(String how) {
        end = how;
        return this;
    }

    BehaviourObservation observed() throws IOException {
        Path counts = Files.createTempFile(directory, "probed", ".txt");
        Path output = Files.createTempFile(directory, "output", ".txt");
        Files.write(counts, probed);
        Files.write(output, printed);
        return BehaviourObservation.of(end, counts, output);
    }
}
