package io.updraft.pipeline.sink;

import io.updraft.pipeline.connector.SinkException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;

/** Makes exceptions for failed file operations. */
final class FileFailure {

    private FileFailure() {}

    /** Returns an exception: passing for a full disk and the like, lasting for missing rights or a wrong path. */
    public static SinkException cannotWrite(Path path, IOException cause) {
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
