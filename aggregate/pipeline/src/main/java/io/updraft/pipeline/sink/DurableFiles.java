package io.updraft.pipeline.sink;

import io.updraft.pipeline.connector.SinkException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Operations that make files durable, and the reasons why they fail. */
public final class DurableFiles {

    private DurableFiles() {}

    /** Returns the folder of a file, and creates it if it is missing. */
    public static Path folder(Path file) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        Files.createDirectories(folder);
        return folder;
    }

    /** Returns a hidden path beside a file, for its content until it is complete. */
    static Path beside(Path file, String ending) throws IOException {
        return folder(file).resolve("." + file.getFileName() + ending);
    }

    /** Returns when the bytes of a file are on the disk. */
    public static void sync(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
    }

    /** Returns when the names in a folder are on the disk. Without this, a crash may lose the name of a new file. */
    public static void syncFolder(Path folder) throws IOException {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    /** Returns whether this sink has locked a file, against other processes and against this one. */
    public static boolean tryLock(FileChannel file) throws IOException {
        try {
            return file.tryLock() != null;
        } catch (OverlappingFileLockException byThisProcess) {
            return false;
        }
    }

    /** Replaces a file atomically: readers see either the old or the new one. */
    public static void replace(Path from, Path to) throws IOException {
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Returns an exception: passing for a full disk and the like, lasting for missing rights or a wrong path. */
    static SinkException cannotWrite(Path path, IOException cause) {
        boolean lasting = cause instanceof AccessDeniedException
                || cause instanceof FileAlreadyExistsException
                || cause instanceof NotDirectoryException
                || reason(cause).contains("Read-only")
                || reason(cause).contains("name too long")
                || reason(cause).contains("Is a directory")
                || reason(cause).contains("Not a directory");
        return SinkException.of(!lasting, "cannot write " + path, reason(cause), cause);
    }

    private static String reason(IOException cause) {
        if (cause instanceof AccessDeniedException) {
            return "permission denied";
        }
        if (cause instanceof FileAlreadyExistsException) {
            return "a parent in the path is a file, not a folder";
        }
        if (cause instanceof NoSuchFileException) {
            return "no such file or folder";
        }
        if (cause instanceof FileSystemException system && system.getReason() != null) {
            return system.getReason();
        }
        return cause.getMessage() == null ? cause.toString() : cause.getMessage();
    }
}
