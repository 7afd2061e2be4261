package io.updraft.plugin;

import io.updraft.stormcluster.StormCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Facts that workers record in files of a directory, one on each line, for tests. Each file has one writer. */
final class WorkerRecords {
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private WorkerRecords() {}

    /** Adds a line. What was written outlives a process that is killed. */
    static void note(String directory, String file, Object line) {
        try {
            Files.writeString(
                    Path.of(directory, file), line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits for a line in a file whose name begins so. */
    static void await(StormCluster cluster, Path directory, String prefix) {
        cluster.await(
                "a record of " + prefix, LIMIT, () -> !read(directory, prefix).isEmpty());
    }

    /** Reads the lines of all files whose names begin so; whole lines only. */
    static List<String> read(Path directory, String prefix) {
        List<String> lines = new ArrayList<>();
        try (var files = Files.newDirectoryStream(directory, prefix + "*")) {
            for (Path file : files) {
                String text = Files.readString(file);
                lines.addAll(
                        text.substring(0, text.lastIndexOf('\n') + 1).lines().toList());
            }
            return lines;
        } catch (NoSuchFileException none) {
            return lines;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
