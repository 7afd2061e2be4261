package io.updraft.storm.program;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Removes directories. */
public final class FileTree {
    private FileTree() {}

    /**
     * Removes a file, or a directory with all its contents. Does not follow symbolic links. Does nothing if the path does not
     * exist.
     */
    public static void delete(Path path) throws IOException {
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try (Stream<Path> tree = Files.walk(path)) {
            List<Path> leavesFirst = tree.sorted(Comparator.reverseOrder()).toList();
            for (Path each : leavesFirst) {
                Files.deleteIfExists(each);
            }
        }
    }
}
