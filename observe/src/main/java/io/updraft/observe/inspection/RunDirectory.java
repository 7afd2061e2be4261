package io.updraft.observe.inspection;

import io.updraft.base.json.Json;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The directory of a run, {@code runs/<pid>} in the directory of the state: a description of the run, and the sockets of its
 * processes. Only the owner may enter it. The run removes it at its end. After a run that was killed it stays; later runs keep the
 * newest of these.
 *
 * <p>The path of a socket may have some hundred bytes only. With a longer path, the sockets are in a directory of their own among
 * the temporary files, and the description names it.
 */
public final class RunDirectory implements Closeable {
    private static final String RUNS = "runs";
    private static final String DESCRIPTION = "run.json";
    private static final String NAMES = "names";
    private static final String COMPONENTS = "components";
    private static final String SOCKET_SUFFIX = ".sock";
    private static final String SHORT_PREFIX = "updraft-sockets-";

    /** The longest path of a socket: 108 bytes on Linux, 104 elsewhere, with the byte that ends it. */
    private static final int MAX_SOCKET_PATH_BYTES = 103;

    private static final int LONGEST_NAME_BYTES = 16;
    private static final int ENDED_KEPT = 20;
    private static final FileAttribute<?> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private final Path directory;
    private final RunDescription description;

    private RunDirectory(Path directory, RunDescription description) {
        this.directory = directory;
        this.description = description;
    }

    /**
     * Creates the directory of this process' run, and removes the oldest directories of runs that were killed.
     *
     * @param state the directory of the state
     * @param described describes the run, without the directory of the sockets
     * @return the directory
     * @throws IOException when it cannot be created
     */
    public static RunDirectory create(Path state, RunDescription described) throws IOException {
        StateDirectory.ownersOnly(state.toAbsolutePath());
        Path runs = StateDirectory.ownersOnly(state.toAbsolutePath().resolve(RUNS));
        prune(state, ENDED_KEPT);
        Path directory = runs.resolve(String.valueOf(described.pid()));
        find(directory).ifPresent(RunDirectory::removeQuietly); // An earlier process had the same number.
        Files.createDirectories(directory, OWNER_ONLY);
        Path sockets = isShort(directory)
                ? directory
                : Files.createTempDirectory(Path.of(System.getProperty("java.io.tmpdir")), SHORT_PREFIX, OWNER_ONLY);
        RunDirectory run = new RunDirectory(directory, described.withSockets(sockets));
        run.writeDescription();
        return run;
    }

    private static boolean isShort(Path directory) {
        int bytes = directory.toString().getBytes(StandardCharsets.UTF_8).length;
        return bytes + LONGEST_NAME_BYTES <= MAX_SOCKET_PATH_BYTES;
    }

    // Readers never see a part of the description.
    private void writeDescription() throws IOException {
        Path unfinished = directory.resolve(DESCRIPTION + ".new");
        Files.writeString(unfinished, Json.write(description.toJson()) + "\n");
        Files.move(unfinished, directory.resolve(DESCRIPTION), StandardCopyOption.ATOMIC_MOVE);
    }

    /**
     * Lists the runs of a state directory, living ones and ended ones whose directory is left, in the order of their start.
     *
     * @param state the directory of the state
     * @return the runs
     */
    public static List<RunDirectory> all(Path state) {
        List<RunDirectory> all = new ArrayList<>();
        Path runs = state.toAbsolutePath().resolve(RUNS);
        if (Files.isDirectory(runs)) {
            try (DirectoryStream<Path> directories = Files.newDirectoryStream(runs)) {
                directories.forEach(directory -> find(directory).ifPresent(all::add));
            } catch (IOException | DirectoryIteratorException e) {
                // What was found until then counts.
            }
        }
        all.sort(Comparator.comparingLong(run -> run.description.startedMillis()));
        return all;
    }

    private static Optional<RunDirectory> find(Path directory) {
        Path file = directory.resolve(DESCRIPTION);
        if (!Files.isRegularFile(file)) {
            return Optional.empty();
        }
        try {
            return Optional.of(new RunDirectory(directory, RunDescription.of(Json.readObject(Files.readString(file)))));
        } catch (IOException | RuntimeException e) {
            return Optional.empty();
        }
    }

    /**
     * Removes the directories of runs that have ended without removing theirs, except the newest.
     *
     * @param state the directory of the state
     * @param kept how many stay
     */
    public static void prune(Path state, int kept) {
        List<RunDirectory> ended =
                all(state).stream().filter(run -> !run.description.isAlive()).toList();
        ended.subList(0, Math.max(0, ended.size() - kept)).forEach(RunDirectory::removeQuietly);
    }

    /**
     * Writes what the shell offers as completions: the names of the living topologies or pipelines, and their components.
     *
     * @param names the names, in the order of their start
     * @param components the names of components
     * @throws IOException when they cannot be written
     */
    public void writeNames(Collection<String> names, Collection<String> components) throws IOException {
        Files.write(directory.resolve(NAMES), names);
        Files.write(directory.resolve(COMPONENTS), components);
    }

    /** {@return the description of the run} */
    public RunDescription description() {
        return description;
    }

    /**
     * Returns the socket of a process of this run, which need not exist.
     *
     * @param pid the process
     * @return the path
     */
    public Path socketOf(long pid) {
        return socketIn(description.sockets(), pid);
    }

    /**
     * Returns the socket of a process.
     *
     * @param sockets the directory of a run's sockets
     * @param pid the process
     * @return the path
     */
    public static Path socketIn(Path sockets, long pid) {
        return sockets.resolve(pid + SOCKET_SUFFIX);
    }

    /** {@return the processes of this run that have a socket, the process of the run first; ended ones may be among them} */
    public List<Long> processes() {
        List<Long> pids = new ArrayList<>();
        try (DirectoryStream<Path> sockets = Files.newDirectoryStream(description.sockets(), "*" + SOCKET_SUFFIX)) {
            for (Path socket : sockets) {
                String name = socket.getFileName().toString();
                pids.add(Long.parseLong(name.substring(0, name.length() - SOCKET_SUFFIX.length())));
            }
        } catch (IOException | DirectoryIteratorException | NumberFormatException e) {
            // What was found until then counts.
        }
        pids.sort(Comparator.comparing((Long pid) -> pid != description.pid()).thenComparing(pid -> pid));
        return pids;
    }

    private void removeQuietly() {
        try {
            close();
        } catch (IOException e) {
            // A later run tries again.
        }
    }

    /** Removes the directory with all sockets. Idempotent. */
    @Override
    public void close() throws IOException {
        Path sockets = description.sockets();
        if (!sockets.equals(directory)
                && sockets.getFileName().toString().startsWith(SHORT_PREFIX)
                && Files.isDirectory(sockets)) {
            removeFiles(sockets, SOCKET_SUFFIX);
            Files.deleteIfExists(sockets);
        }
        if (Files.isDirectory(directory)) {
            removeFiles(directory, "");
        }
        Files.deleteIfExists(directory);
    }

    private static void removeFiles(Path directory, String suffix) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*" + suffix)) {
            for (Path file : files) {
                Files.deleteIfExists(file);
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
    }
}
