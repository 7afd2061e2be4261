package io.updraft.storm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The directories that Storm promises to a worker's tasks. Most topologies never ask for them, so that nothing is made
 * on disk before the first question, and nothing is left behind after {@link #close()}.
 *
 * <p>Safe to use from any thread.
 */
final class TaskDirectories implements AutoCloseable {
    private Path root;

    /** Where external resources of the topology lie (Storm's {@code resources} directory). */
    String code() {
        return directory("resources");
    }

    /** Where a task that starts a process leaves its process id. */
    String pids() {
        return directory("pids");
    }

    /** Removes what was made. */
    @Override
    public synchronized void close() {
        if (root != null) {
            deleteTree(root);
            root = null;
        }
    }

    private synchronized String directory(String name) {
        try {
            if (root == null) {
                root = Files.createTempDirectory("updraft-").toRealPath();
            }
            return Files.createDirectories(root.resolve(name)).toString();
        } catch (IOException e) {
            throw new UncheckedIOException("could not make the directory '" + name + "' for this topology", e);
        }
    }

    private static void deleteTree(Path top) {
        try (Stream<Path> tree = Files.walk(top)) {
            List<Path> leavesFirst = tree.sorted(Comparator.reverseOrder()).toList();
            for (Path path : leavesFirst) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("could not remove the temporary directory " + top, e);
        }
    }
}
