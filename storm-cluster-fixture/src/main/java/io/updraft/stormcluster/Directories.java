package io.updraft.stormcluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Operations on whole directories. */
final class Directories {

    private Directories() {}

    /** Removes a directory and its contents. Another process may remove them at the same time. */
    static void delete(Path root) {
        for (Path path : all(root).stream().sorted(Comparator.reverseOrder()).toList()) {
            try {
                Files.deleteIfExists(path);
            } catch (IOException e) {
                throw new UncheckedIOException("cannot remove " + path, e);
            }
        }
    }

    /** Returns all regular files below a directory, sorted; none if there is no such directory. */
    static List<Path> files(Path root) {
        return all(root).stream().filter(Files::isRegularFile).sorted().toList();
    }

    /** Returns the directories and files right below a directory; none if there is no such directory. */
    static List<Path> children(Path directory) {
        try (Stream<Path> paths = Files.list(directory)) {
            return paths.sorted().toList();
        } catch (NoSuchFileException none) {
            return List.of();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot list " + directory, e);
        }
    }

    private static List<Path> all(Path root) {
        try (Stream<Path> paths = Files.walk(root)) {
            return paths.toList();
        } catch (IOException | UncheckedIOException goneMeanwhile) {
            return Files.exists(root) ? retry(root) : List.of();
        }
    }

    /** Walks again: a worker that ends, or a second remover, may have removed files during the first walk. */
    private static List<Path> retry(Path root) {
        try (Stream<Path> paths = Files.walk(root)) {
            return paths.toList();
        } catch (NoSuchFileException none) {
            return List.of();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot list " + root, e);
        }
    }
}
