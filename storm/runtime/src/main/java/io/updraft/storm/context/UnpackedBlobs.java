package io.updraft.storm.context;

import io.updraft.storm.program.FileTree;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.UUID;

/**
 * A directory within the working directory for the unpacked archives of one topology. Links under the local names of the blobs
 * point into it. The links and the lock tell the leftovers of a killed process from the user's files: a link is left over if it
 * points into such a directory whose lock is free.
 *
 * <pre>
 *   model -> .updraft-blobs-PROCESS-RANDOM/1
 *   .updraft-blobs-PROCESS-RANDOM/lock      locked while the process lives; contains its process id
 *   .updraft-blobs-PROCESS-RANDOM/1/
 * </pre>
 *
 * <p>The lock decides whether a process lives. The list of processes does not include containers that share the directory.
 */
final class UnpackedBlobs implements AutoCloseable {
    private static final String PREFIX = ".updraft-blobs-";

    /**
     * Recognizes directories of this process. A process must not open its own lock files again: closing them would release the
     * locks.
     */
    private static final String OWN_PREFIX = PREFIX + UUID.randomUUID() + "-";

    private static final String LOCK = "lock";

    private final Path directory;
    private final FileChannel lock;
    private int unpacked;

    private UnpackedBlobs(Path directory, FileChannel lock) {
        this.directory = directory;
        this.lock = lock;
    }

    /** Creates a directory. Other processes see its lock file only after it is locked. */
    static UnpackedBlobs create(Path working) throws IOException {
        Path directory = Files.createTempDirectory(Files.createDirectories(working), OWN_PREFIX);
        Path unfinished = directory.resolve(LOCK + ".new");
        FileChannel lock = FileChannel.open(unfinished, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        UnpackedBlobs blobs = new UnpackedBlobs(directory, lock);
        try {
            lock.write(
                    ByteBuffer.wrap(Long.toString(ProcessHandle.current().pid()).getBytes(StandardCharsets.US_ASCII)));
            if (lock.tryLock() != null) {
                Files.move(unfinished, directory.resolve(LOCK));
            }
            return blobs;
        } catch (IOException e) {
            blobs.close();
            throw e;
        }
    }

    Path next() throws IOException {
        return Files.createDirectory(directory.resolve(Integer.toString(++unpacked)));
    }

    /** Removes the directories of processes that have ended. The caller may ignore a failure. */
    static void removeAbandoned(Path working) throws IOException {
        if (!Files.isDirectory(working)) {
            return;
        }
        try (DirectoryStream<Path> all = Files.newDirectoryStream(working, PREFIX + "*")) {
            for (Path directory : all) {
                if (!isOwn(directory)) {
                    removeIfAbandoned(directory);
                }
            }
        }
    }

    private static void removeIfAbandoned(Path directory) throws IOException {
        try (FileChannel lock = FileChannel.open(directory.resolve(LOCK), StandardOpenOption.WRITE)) {
            if (lock.tryLock() != null) {
                remove(directory);
            }
        } catch (NoSuchFileException e) {
            // Another process is about to create the directory, or has just removed it.
            return;
        }
    }

    /** Removes the lock last: if this process is killed meanwhile, another can still remove the rest. */
    private static void remove(Path directory) throws IOException {
        try (DirectoryStream<Path> all = Files.newDirectoryStream(
                directory, each -> !each.getFileName().toString().equals(LOCK))) {
            for (Path each : all) {
                FileTree.delete(each);
            }
        }
        FileTree.delete(directory);
    }

    private static boolean isOwn(Path directory) {
        return directory.getFileName().toString().startsWith(OWN_PREFIX);
    }

    /**
     * Returns the process that has unpacked an archive to a path, as words for users; empty if the path is free or a file of
     * the user.
     */
    static Optional<String> ownerOf(Path place) {
        try {
            if (!Files.isSymbolicLink(place)) {
                return Optional.empty();
            }
            Path directory = Files.readSymbolicLink(place).getParent();
            if (directory == null || !directory.getFileName().toString().startsWith(PREFIX)) {
                return Optional.empty();
            }
            return Optional.of(
                    isOwn(directory) ? "this process" : "process " + Files.readString(directory.resolve(LOCK)));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    @Override
    public void close() throws IOException {
        try {
            remove(directory);
        } finally {
            lock.close();
        }
    }
}
