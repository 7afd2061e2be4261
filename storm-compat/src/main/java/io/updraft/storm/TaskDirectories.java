package io.updraft.storm;

import io.updraft.storm.multilang.ShellResources;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The directories that Storm promises to a worker's tasks. Most topologies never ask for them, so that nothing is made
 * on disk before the first question, and nothing is left behind after {@link #close()}.
 *
 * <p>Safe to use from any thread.
 */
final class TaskDirectories implements AutoCloseable {
    private Path root;

    private final ClassLoader loader;
    private final Optional<WorkerPlace.Slot> slot;
    private boolean filled;

    /**
     * Creates the directories' keeper.
     *
     * @param loader finds the program's resources
     */
    TaskDirectories(ClassLoader loader) {
        this(loader, Optional.empty());
    }

    /**
     * Creates the keeper of the directories of a worker on a Storm cluster, whose Supervisor has laid out some of them.
     *
     * @param loader finds the program's resources
     * @param slot what the cluster says; empty outside of one
     */
    TaskDirectories(ClassLoader loader, Optional<WorkerPlace.Slot> slot) {
        this.loader = loader;
        this.slot = slot;
    }

    /** Where external resources of the topology lie (Storm's {@code resources} directory), those of its jar among them. */
    synchronized String code() {
        if (slot.isPresent()) {
            return slot.get().resources().toString();
        }
        String directory = directory("resources");
        if (!filled) {
            try {
                ShellResources.copy(ProgramFiles.of(loader).jar(), loader, Path.of(directory));
            } catch (IOException e) {
                throw new UncheckedIOException("could not lay out the topology's resources: " + e.getMessage(), e);
            }
            filled = true;
        }
        return directory;
    }

    /** Where whatever runs for the whole worker leaves its process id. */
    String pids() {
        return slot.map(given -> given.pids().toString()).orElseGet(() -> directory("pids"));
    }

    /** Where the subprocess of a task leaves its process id: a directory for each task, so that one knows whose it is. */
    String pids(int task) {
        return directory("pids/" + task);
    }

    /** Removes what was made. */
    @Override
    public synchronized void close() {
        if (root != null) {
            deleteTree(root);
            root = null;
        }
    }

    /** Another directory, made when it is not there. */
    synchronized String directory(String name) {
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
