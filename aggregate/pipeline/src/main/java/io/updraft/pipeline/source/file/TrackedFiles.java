package io.updraft.pipeline.source.file;

import io.updraft.pipeline.connector.ReadAheadSource;
import io.updraft.pipeline.connector.RecordSource;
import io.updraft.pipeline.connector.SourceException;
import io.updraft.pipeline.line.LineFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of a source, each from its first scan until it has ended and is gone. Finds files by unit and by key, and keeps
 * them in reading order. Belongs to the thread that reads.
 */
final class TrackedFiles {

    private static final Logger LOG = LoggerFactory.getLogger(TrackedFiles.class);

    private final LineFormat format;
    private final boolean followed;
    private final StartPositions beginnings;
    private final Map<String, TrackedFile> units;
    private final Map<String, TrackedFile> byKey = new HashMap<>();
    private final List<TrackedFile> active = new ArrayList<>();
    private final FinishedFiles finished = new FinishedFiles();

    /** Creates an empty set of files. Any thread may read {@code units}, which receives each file. */
    TrackedFiles(LineFormat format, boolean followed, StartPositions beginnings, Map<String, TrackedFile> units) {
        this.format = format;
        this.followed = followed;
        this.beginnings = beginnings;
        this.units = units;
    }

    /** Returns the files that are read, in reading order. The reader removes those that have ended. */
    List<TrackedFile> active() {
        return active;
    }

    /** Returns the files that are not yet read and committed in full. */
    Collection<TrackedFile> all() {
        return units.values();
    }

    Set<String> units() {
        return units.keySet();
    }

    /** Returns the file that has a key and is not known to be gone; null if there is none. */
    TrackedFile withKey(String key) {
        return byKey.get(key);
    }

    TrackedFile track(Path path, PositionFile.Entry begin) throws IOException {
        TrackedFile file = new TrackedFile(begin, path, format, followed, Files.size(path));
        if (followed && !file.openSame()) {
            throw new NoSuchFileException(path.toString());
        }
        units.put(file.unit(), file);
        byKey.put(begin.identity().key(), file);
        active.add(file);
        return file;
    }

    /** Continues a file in its copy or packed version, whose content matches up to a mark. */
    void resume(TrackedFile file, ContentFingerprint mark, Path path) throws IOException {
        FileIdentity identity = FileIdentity.of(path);
        LOG.info("{} was made from {}: reading goes on after byte {}", path, file.path(), file.position());
        String before = file.identity().key();
        file.continuesIn(path, identity);
        byKey.remove(before, file);
        file.marks().cutAt(mark.at());
        byKey.put(identity.key(), file);
        beginnings.moved(file.unit(), identity);
        if (file.end() >= 0) {
            finished.add(file);
        }
    }

    /** Hands over the rest of a file and the event of its end. */
    void end(TrackedFile file, ReadAheadSource.Out out) throws IOException, SourceException, InterruptedException {
        RecordSource.Event last = file.last();
        if (last != null) {
            out.put(last);
        }
        file.markEnd();
        file.close();
        if (followed && !file.isGone() && byKey.get(file.identity().key()) == file) {
            finished.add(file);
        }
        out.put(new RecordSource.Event.Ended(file.unit()));
    }

    /** Releases the key of a file: from now on it belongs to another file. */
    void releaseKey(TrackedFile file) {
        byKey.remove(file.identity().key(), file);
    }

    /**
     * Removes the files that were read to their end and no longer exist.
     *
     * @param now the existing files, by key
     * @return whether there were any
     */
    boolean removeFinished(Map<String, Path> now) {
        List<TrackedFile> gone = finished.takeGone(now);
        for (TrackedFile file : gone) {
            releaseKey(file);
            file.markGone();
            if (file.isOver()) {
                beginnings.forget(file.unit());
            }
        }
        return !gone.isEmpty();
    }
}
