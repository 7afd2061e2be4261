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
 * The directories that Storm provides to the tasks of a worker. Most topologies never use them. Each directory is therefore
 * created on its first use, and {@link #close()} removes all of them.
 *
 * <p>Safe to use from any thread.
 */
final class TaskDirectories implements AutoCloseable {
    private Path root;

    private final ClassLoader loader;
    private final Optional<WorkerPlace.Slot> slot;
    private boolean filled;

    /**
     * Creates the directories of a topology, outside of a Storm cluster.
     *
     * @param loader the class loader with the program's resources
     */
    TaskDirectories(ClassLoader loader) {
        this(loader, Optional.empty());
    }

    /**
     * Creates the directories of a worker on a Storm cluster, whose Supervisor has prepared some of them.
     *
     * @param loader the class loader with the program's resources
     * @param slot the worker's slot in the cluster; empty outside of a cluster
     */
    TaskDirectories(ClassLoader loader, Optional<WorkerPlace.Slot> slot) {
        this.loader = loader;
        this.slot = slot;
    }

    /**
     * Returns the directory of the topology's external resources (Storm's {@code resources} directory), including those of its
     * jar.
     */
    synchronized String code() {
        if (slot.isPresent()) {
            return slot.get().resources().toString();
        }
        String directory = directory("resources");
        if (!filled) {
            try {
                ShellResources.copy(ProgramFiles.of(loader).jar(), loader, Path.of(directory));
            } catch (IOException e) {
                throw new UncheckedIOException("cannot copy the topology's resources: " + e.getMessage(), e);
            }
            filled = true;
        }
        return directory;
    }

    /** Returns the directory for the process ids of subprocesses that serve the whole worker. */
    String pids() {
        return slot.map(given -> given.pids().toString()).orElseGet(() -> directory("pids"));
    }

    /**
     * Returns the directory for the process id of a task's subprocess: one directory for each task, which identifies the task.
     */
    String pids(int task) {
        return directory("pids/" + task);
    }

    /** Removes all created directories. */
    @Override
    public synchronized void close() {
        if (root != null) {
            deleteTree(root);
            root = null;
        }
    }

    /** Returns another directory, created if it does not exist. */
    synchronized String directory(String name) {
        try {
            if (root == null) {
                root = Files.createTempDirectory("updraft-").toRealPath();
            }
            return Files.createDirectories(root.resolve(name)).toString();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot create the directory '" + name + "' for this topology", e);
        }
    }

    private static void deleteTree(Path top) {
        try (Stream<Path> tree = Files.walk(top)) {
            List<Path> leavesFirst = tree.sorted(Comparator.reverseOrder()).toList();
            for (Path path : leavesFirst) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot remove the temporary directory " + top, e);
        }
    }
}
