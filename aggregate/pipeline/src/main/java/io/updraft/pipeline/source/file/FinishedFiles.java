package io.updraft.pipeline.source.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Files that were read to their end and still exist, usually packed ones. They are closed, so another file may reuse the number
 * of one. A changed modification time shows that the first bytes must be checked again. One thread.
 */
final class FinishedFiles {

    private static final Logger LOG = LoggerFactory.getLogger(FinishedFiles.class);
    private static final FileTime UNKNOWN = FileTime.fromMillis(Long.MIN_VALUE);

    /** The files with their last known modification time. */
    private final Map<TrackedFile, FileTime> files = new HashMap<>();

    private final Set<TrackedFile> warned = new HashSet<>();

    void add(TrackedFile file) {
        files.put(file, UNKNOWN);
    }

    /** Removes and returns the files that are gone. A file that has the same key now is a different one. */
    List<TrackedFile> takeGone(Map<String, Path> now) {
        List<TrackedFile> gone = new ArrayList<>();
        for (Map.Entry<TrackedFile, FileTime> file : files.entrySet()) {
            if (!isStillThere(file, now.get(file.getKey().identity().key()))) {
                gone.add(file.getKey());
            }
        }
        gone.forEach(files::remove);
        gone.forEach(warned::remove);
        return gone;
    }

    private boolean isStillThere(Map.Entry<TrackedFile, FileTime> done, Path path) {
        if (path == null) {
            return false;
        }
        TrackedFile file = done.getKey();
        try {
            FileTime time = Files.getLastModifiedTime(path);
            if (!time.equals(done.getValue()) && !file.identity().isStillOf(path)) {
                return false;
            }
            done.setValue(time);
            return !hasGrown(file, path);
        } catch (IOException e) {
            LOG.debug("{} cannot be checked", path, e);
            return true;
        }
    }

    /**
     * Returns whether a file has grown beyond a copy without the bytes that were read last. Growth of packed data is only
     * reported.
     */
    private boolean hasGrown(TrackedFile file, Path path) throws IOException {
        boolean grown = Files.size(path) > file.size();
        if (grown && file.isCompressed() && warned.add(file)) {
            LOG.warn("{} has grown after the end of its packed data: the added bytes are not read", path);
        }
        return grown && !file.isCompressed();
    }
}
