package io.updraft.pipeline.source;

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
 * The files of a source, from when each is tracked until it has ended and is gone: by their units, by what the file system knows them by,
 * and in the order in which they are read. The thread that reads.
 */
final class TrackedFiles {

    private static final Logger LOG = LoggerFactory.getLogger(TrackedFiles.class);

    private final LineFormat format;
    private final boolean followed;
    private final Beginnings beginnings;
    private final Map<String, TrackedFile> units;
    private final Map<String, TrackedFile> byKey = new HashMap<>();
    private final List<TrackedFile> active = new ArrayList<>();
    private final FinishedFiles finished = new FinishedFiles();

    /**
     * None yet.
     *
     * @param followed whether the files are read on when they have grown
     * @param beginnings are told what becomes of a file
     * @param units told of each file; any thread may look into it
     */
    TrackedFiles(LineFormat format, boolean followed, Beginnings beginnings, Map<String, TrackedFile> units) {
        this.format = format;
        this.followed = followed;
        this.beginnings = beginnings;
        this.units = units;
    }

    /** Those that are read, in their order. Who reads takes away what has ended. */
    List<TrackedFile> active() {
        return active;
    }

    /** Those of which not all is read and committed. */
    Collection<TrackedFile> all() {
        return units.values();
    }

    /** The units of these. */
    Set<String> units() {
        return units.keySet();
    }

    /** The file that has a key, and is not known to be gone; null if there is none. */
    TrackedFile withKey(String key) {
        return byKey.get(key);
    }

    /** Tracks a file from a position on. */
    TrackedFile track(Path path, Beginnings.Beginning begin) throws IOException {
        TrackedFile file = new TrackedFile(begin, path, format, followed, Files.size(path));
        if (followed && !file.openSame()) {
            throw new NoSuchFileException(path.toString());
        }
        units.put(file.unit(), file);
        byKey.put(begin.identity().key(), file);
        active.add(file);
        return file;
    }

    /** A file was packed or copied into another one, which has its positions, and holds what was read of it up to a mark. */
    void goOn(TrackedFile file, ContentMark mark, Path path) throws IOException {
        FileIdentity identity = FileIdentity.of(path);
        LOG.info("{} was made of {}: it is read on after byte {}", path, file.path(), file.position());
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

    /** Hands over what is left at the end of a file, and that it has ended. */
    void end(TrackedFile file, ReadAhead.Out out) throws IOException, SourceException, InterruptedException {
        Source.Event last = file.last();
        if (last != null) {
            out.put(last);
        }
        file.markEnd();
        file.close();
        if (followed && !file.isGone() && byKey.get(file.identity().key()) == file) {
            finished.add(file);
        }
        out.put(new Source.Event.Ended(file.unit()));
    }

    /** What has the key of a file from now on is another one. */
    void giveUpKey(TrackedFile file) {
        byKey.remove(file.identity().key(), file);
    }

    /**
     * Gives up those that were read to their end, and are not there any more.
     *
     * @param now what is there, by keys
     * @return whether there were any
     */
    boolean giveUpFinished(Map<String, Path> now) {
        List<TrackedFile> gone = finished.takeGone(now);
        for (TrackedFile file : gone) {
            giveUpKey(file);
            file.markGone();
            if (file.isOver()) {
                beginnings.forget(file.unit());
            }
        }
        return !gone.isEmpty();
    }
}
