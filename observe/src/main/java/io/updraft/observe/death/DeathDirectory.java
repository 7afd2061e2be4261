package io.updraft.observe.death;

import io.updraft.observe.inspection.StateDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The directory {@value #NAME} of a state directory: capsules and records of processes that have ended. Only its owner may read
 * it. The newest {@value #KEPT} files of a kind are kept. It is not in the directory of a run, because in a container the next run
 * often has the same process number.
 *
 * @param path the directory, which need not exist
 */
public record DeathDirectory(Path path) {
    /** The name of the directory in the directory of the state. */
    public static final String NAME = "deaths";

    static final String CAPSULE = "capsule-";
    private static final int KEPT = 20;
    private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");
    private static final FileAttribute<?> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    /**
     * Returns the directory in a directory of the state.
     *
     * @param state the directory of the state
     * @return the directory, which need not exist
     */
    public static DeathDirectory in(Path state) {
        return new DeathDirectory(state.toAbsolutePath().resolve(NAME));
    }

    /** Returns the path of a new capsule of a process, and removes the oldest ones. */
    Path newCapsule(String process) throws IOException {
        return newFile(CAPSULE, process, ".txt");
    }

    Path newFile(String kind, String process, String suffix) throws IOException {
        StateDirectory.ownersOnly(path);
        List<Path> old = newestFirst(kind);
        for (Path file : old.subList(Math.min(KEPT - 1, old.size()), old.size())) {
            Files.deleteIfExists(file);
        }
        return path.resolve(kind + process + "-" + LocalDateTime.now().format(STAMP) + suffix);
    }

    static Writer open(Path file) throws IOException {
        Files.deleteIfExists(file);
        Files.createFile(file, OWNER_ONLY);
        return Files.newBufferedWriter(file, StandardCharsets.UTF_8, StandardOpenOption.WRITE);
    }

    /** {@return the files whose name begins like this, the newest first; none if there is no directory} */
    List<Path> newestFirst(String kind) {
        if (!Files.isDirectory(path)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(path)) {
            return files.filter(file -> file.getFileName().toString().startsWith(kind))
                    .sorted(Comparator.comparingLong(
                                    (Path file) -> file.toFile().lastModified())
                            .reversed())
                    .toList();
        } catch (IOException | UncheckedIOException e) {
            return List.of();
        }
    }

    /**
     * Finds the capsule of a process.
     *
     * @param pid the process
     * @param since when the process was started, milliseconds since the epoch
     * @return the newest capsule of the process; null if it has written none
     */
    public Path capsuleOf(long pid, long since) {
        return newestFirst(CAPSULE).stream()
                .filter(file -> file.getFileName().toString().matches(".*-" + pid + "-\\d{8}-\\d{6}\\.txt"))
                .filter(file -> file.toFile().lastModified() >= since - since % 1_000)
                .findFirst()
                .orElse(null);
    }
}
