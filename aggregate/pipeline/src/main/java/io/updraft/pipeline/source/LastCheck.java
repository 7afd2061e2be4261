package io.updraft.pipeline.source;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;

/** The size and modification time of a file when its content was checked last. Not thread-safe. */
final class LastCheck {

    /** A file may change twice within one tick of its modification time; 2 s is the coarsest tick of a file system. */
    private static final long TICK_MILLIS = 2_000;

    private long size = -1;
    /** The modification time; null if the next check cannot rely on it. */
    private FileTime time;

    /** Returns whether the file at a path may have changed since the last call. */
    boolean isOutdated(Path path) throws IOException {
        BasicFileAttributes now = Files.readAttributes(path, BasicFileAttributes.class);
        FileTime modified = now.lastModifiedTime();
        boolean outdated = now.size() != size || !modified.equals(time);
        boolean recent = System.currentTimeMillis() - modified.toMillis() <= TICK_MILLIS;
        size = now.size();
        time = recent ? null : modified;
        return outdated;
    }

    /** Makes the next call of {@link #isOutdated} return true. */
    void forget() {
        time = null;
    }
}
