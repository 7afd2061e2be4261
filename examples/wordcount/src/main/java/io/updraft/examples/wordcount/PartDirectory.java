package io.updraft.examples.wordcount;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The directory of the counters' parts, for the program that waits for them. */
final class PartDirectory {
    private final Path directory;

    private PartDirectory(Path directory) {
        this.directory = directory;
    }

    /** Creates an empty directory next to the result's file: workers that can reach the file can reach it. */
    static PartDirectory createBeside(Path out) throws IOException {
        return new PartDirectory(
                Files.createTempDirectory(out.toAbsolutePath().normalize().getParent(), out.getFileName() + ".parts-"));
    }

    Path directory() {
        return directory;
    }

    int complete() throws IOException {
        return named(PartFile.COMPLETE).size();
    }

    /** {@return the number of counters that have written a complete or partial part} */
    int written() throws IOException {
        return complete() + named(PartFile.PARTIAL).size();
    }

    boolean anyLost() throws IOException {
        return !named(PartFile.LOST).isEmpty();
    }

    /** {@return all counts by word, in the order of bytes} */
    Map<String, Long> counts() throws IOException {
        Map<String, Long> counts = new TreeMap<>();
        List<Path> parts = named(PartFile.COMPLETE);
        parts.addAll(named(PartFile.PARTIAL));
        for (Path part : parts) {
            for (String line : Files.readAllLines(part, StandardCharsets.US_ASCII)) {
                int space = line.indexOf(' ');
                counts.merge(line.substring(space + 1), Long.valueOf(line.substring(0, space)), Long::sum);
            }
        }
        return counts;
    }

    void delete() throws IOException {
        for (Path file : named("")) {
            Files.deleteIfExists(file);
        }
        Files.deleteIfExists(directory);
    }

    private List<Path> named(String suffix) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return new ArrayList<>(
                    files.filter(file -> file.toString().endsWith(suffix)).toList());
        }
    }
}
