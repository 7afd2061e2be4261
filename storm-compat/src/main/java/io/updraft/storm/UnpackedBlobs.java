package io.updraft.storm;

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
 * A directory within the working directory for what one topology's archives have in them; under their local names there are
 * links to it. So what a process that was killed has left can be told from what is the user's: a link into such a directory
 * whose lock nobody holds.
 *
 * <pre>
 *   model -> .updraft-blobs-PROCESS-RANDOM/1
 *   .updraft-blobs-PROCESS-RANDOM/lock      held while the process lives; in it is its number
 *   .updraft-blobs-PROCESS-RANDOM/1/
 * </pre>
 *
 * <p>Who lives is asked of the lock and not of the list of processes, which says nothing of containers that share the directory.
 */
final class UnpackedBlobs implements AutoCloseable {
    private static final String PREFIX = ".updraft-blobs-";

    /** A process must not open locks of its own a second time: to close them would give them up. */
    private static final String OWN_PREFIX = PREFIX + UUID.randomUUID() + "-";

    private static final String LOCK = "lock";

    private final Path directory;
    private final FileChannel lock;
    private int unpacked;

    private UnpackedBlobs(Path directory, FileChannel lock) {
        this.directory = directory;
        this.lock = lock;
    }

    /** Makes one; others find it only with its lock held. */
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

    /** {@return a directory to unpack the next archive to} */
    Path next() throws IOException {
        return Files.createDirectory(directory.resolve(Integer.toString(++unpacked)));
    }

    /**
     * Removes what processes that are gone have unpacked. What cannot be removed is no reason not to run.
     *
     * @param working where to look
     */
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
            // It is about to be made, or somebody else has just removed it.
            return;
        }
    }

    /** The lock goes last, so that nothing stays for good if this process is killed meanwhile. */
    private static void remove(Path directory) throws IOException {
        try (DirectoryStream<Path> all = Files.newDirectoryStream(
                directory, each -> !each.getFileName().toString().equals(LOCK))) {
            for (Path each : all) {
                Trees.delete(each);
            }
        }
        Trees.delete(directory);
    }

    private static boolean isOwn(Path directory) {
        return directory.getFileName().toString().startsWith(OWN_PREFIX);
    }

    /**
     * Who has unpacked something to a place.
     *
     * @param place where a blob is to be
     * @return the process, for people; nothing if that is none's, or the user's own
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
