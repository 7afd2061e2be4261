package io.updraft.bench.aggregate;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** The option for the directory of input files, which are deleted after use. */
final class InputDirectory {

    @Option(
            names = "--directory",
            paramLabel = "DIR",
            description =
                    "Directory for the input files, which are deleted afterwards. Default: the temporary directory.")
    private Path parent;

    /** Something that needs a directory. */
    @FunctionalInterface
    interface Use {
        void of(Path directory) throws IOException, InterruptedException;
    }

    /** Hands over a new directory, and deletes it afterwards, also when the process is ended. */
    void use(Use use) throws IOException, InterruptedException {
        Path directory = parent == null
                ? Files.createTempDirectory("updraft-files-")
                : Files.createTempDirectory(Files.createDirectories(parent).toAbsolutePath(), "updraft-files-");
        Thread hook = new Thread(() -> deleteAtEnd(directory));
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            use.of(directory);
        } finally {
            Runtime.getRuntime().removeShutdownHook(hook);
            delete(directory);
        }
    }

    private static void deleteAtEnd(Path directory) {
        try {
            delete(directory);
        } catch (IOException e) {
            System.err.println("not deleted: " + directory + ": " + e);
        }
    }

    /** Deletes a directory with all that is in it. */
    static void delete(Path tree) throws IOException {
        try (Stream<Path> files = Files.walk(tree)) {
            List<Path> last = files.sorted(Comparator.reverseOrder()).toList();
            for (Path file : last) {
                Files.deleteIfExists(file);
            }
        }
    }
}
