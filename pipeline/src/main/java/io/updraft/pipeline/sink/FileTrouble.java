package io.updraft.pipeline.sink;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;

/** Says what went wrong with a file. */
final class FileTrouble {

    private FileTrouble() {}

    /** Cannot write a file: passing for a full disk and the like, lasting where rights or the path itself are at fault. */
    static SinkException cannotWrite(Path path, IOException cause) {
        String message = "cannot write " + path + ": " + reason(cause);
        boolean lasting = cause instanceof AccessDeniedException
                || cause instanceof FileAlreadyExistsException
                || cause instanceof NotDirectoryException
                || reason(cause).contains("Read-only")
                || reason(cause).contains("name too long")
                || reason(cause).contains("Is a directory")
                || reason(cause).contains("Not a directory");
        return lasting ? SinkException.lasting(message, cause) : SinkException.passing(message, cause);
    }

    private static String reason(IOException cause) {
        if (cause instanceof AccessDeniedException) {
            return "permission denied";
        }
        if (cause instanceof FileAlreadyExistsException) {
            return "a part of the path is a file, not a folder";
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
