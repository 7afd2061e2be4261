package io.updraft.pipeline.source;

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
 * Files that were read to their end and are still there, packed ones as a rule. They are open no more, so another file may get the number
 * of one; the time of the last change tells when a look at the bytes is due. One thread.
 */
final class FinishedFiles {

    private static final Logger LOG = LoggerFactory.getLogger(FinishedFiles.class);
    private static final FileTime UNKNOWN = FileTime.fromMillis(Long.MIN_VALUE);

    /** With the time of the last change that is known. */
    private final Map<TrackedFile, FileTime> files = new HashMap<>();

    private final Set<TrackedFile> told = new HashSet<>();

    /** Another one was read to its end. */
    void add(TrackedFile file) {
        files.put(file, UNKNOWN);
    }

    /** Takes away, and returns, those that are gone: what is there now by their keys is none of them. */
    List<TrackedFile> takeGone(Map<String, Path> now) {
        List<TrackedFile> gone = new ArrayList<>();
        for (Map.Entry<TrackedFile, FileTime> file : files.entrySet()) {
            if (!isStillThere(file, now.get(file.getKey().identity().key()))) {
                gone.add(file.getKey());
            }
        }
        gone.forEach(files::remove);
        gone.forEach(told::remove);
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
            return !tellIfGrown(file, path);
        } catch (IOException e) {
            LOG.debug("{} cannot be looked at", path, e);
            return true;
        }
    }

    /** Whether a file is more than a copy that lacks the last that was read. Nothing is added to packed data. */
    private boolean tellIfGrown(TrackedFile file, Path path) throws IOException {
        boolean grown = Files.size(path) > file.size();
        if (grown && file.isCompressed() && told.add(file)) {
            LOG.warn("{} has grown after its packed data had come to an end: what was added is not read", path);
        }
        return grown && !file.isCompressed();
    }
}
