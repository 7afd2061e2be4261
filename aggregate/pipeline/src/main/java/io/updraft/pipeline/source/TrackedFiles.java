package io.updraft.pipeline.source;

import io.updraft.base.record.SourceEvent;
import io.updraft.pipeline.connector.RecordSource;
import io.updraft.pipeline.connector.SourceException;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of a source, each from its first scan until it has ended and is gone. Finds files by partition and by key, and keeps
 * them in reading order. Belongs to the thread that reads.
 */
final class TrackedFiles {

    private static final Logger LOG = LoggerFactory.getLogger(TrackedFiles.class);

    /** How many files that were read to their end are remembered. */
    private static final int MAX_ENDED = 65_536;

    private final LineFormat format;
    private final boolean followed;
    private final StartPositions beginnings;
    private final ChannelLimit channels;
    private final FileTroubles troubles;
    /** The files that are not yet read and committed in full, by partition. */
    final Map<String, TrackedFile> partitions;

    private final Map<String, TrackedFile> byKey = new HashMap<>();
    /** The files that are read, in reading order. The reader removes those that have ended. */
    final Set<TrackedFile> active = new LinkedHashSet<>();

    /** The ends of files that were read to their end, by key: such a file may come back. */
    private final Map<String, PositionFile.Entry> ended = new LinkedHashMap<>();

    private final FinishedFiles finished = new FinishedFiles();

    /** Creates an empty set of files. Any thread may read {@code partitions}, which receives each file. */
    TrackedFiles(
            LineFormat format,
            boolean followed,
            StartPositions beginnings,
            Map<String, TrackedFile> partitions,
            ChannelLimit channels,
            FileTroubles troubles) {
        this.format = format;
        this.followed = followed;
        this.beginnings = beginnings;
        this.partitions = partitions;
        this.channels = channels;
        this.troubles = troubles;
    }

    /** Returns the file that has a key and is not known to be gone; null if there is none. */
    TrackedFile withKey(String key) {
        return byKey.get(key);
    }

    /** Returns the name under which the file with a key is read; null if there is none. */
    Path path(String key) {
        TrackedFile file = byKey.get(key);
        return file == null ? null : file.path();
    }

    void sort(Collection<Path> order) {
        Map<Path, TrackedFile> byPath = new HashMap<>();
        active.forEach(file -> byPath.put(file.path(), file));
        active.clear();
        order.stream().map(byPath::get).filter(Objects::nonNull).forEach(active::add);
    }

    /** Returns where the file with a key had ended; null if none had. */
    PositionFile.Entry endOf(String key) {
        return ended.get(key);
    }

    /** Goes on with a file that had ended, at the position of its end. */
    TrackedFile reopen(PositionFile.Entry end, Path path) throws IOException {
        FileIdentity identity = FileIdentity.of(path);
        PositionFile.Entry begin =
                beginnings.reopened(end, path, identity, active(end.partition()), partitions.keySet());
        LOG.info("{} is back: resuming after byte {}", path, end.commit().position());
        TrackedFile file = track(path, begin);
        ended.remove(end.identity().key());
        return file;
    }

    /** Takes notice of a packed file that had ended, and is back as it was. */
    void finishAgain(PositionFile.Entry end, Path path) throws IOException {
        beginnings.reopened(end, path, end.identity(), false, Set.of());
        TrackedFile file = new TrackedFile(end, path, format, followed, Files.size(path));
        file.markFinished();
        byKey.put(end.identity().key(), file);
        finished.add(file);
    }

    private boolean active(String partition) {
        TrackedFile file = partitions.get(partition);
        return file != null && file.end() < 0;
    }

    /** Goes on with a file that was missing, before its end was reported. */
    void takeBack(TrackedFile file, Path path) throws IOException {
        file.backAt(path);
        channels.used(file);
        byKey.put(file.identity().key(), file);
    }

    TrackedFile track(Path path, PositionFile.Entry begin) throws IOException {
        TrackedFile file = new TrackedFile(begin, path, format, followed, Files.size(path));
        if (followed && !file.openSame()) {
            throw new NoSuchFileException(path.toString());
        }
        read(file);
        partitions.put(file.partition(), file);
        byKey.put(begin.identity().key(), file);
        active.add(file);
        return file;
    }

    void read(TrackedFile file) {
        if (followed) {
            channels.used(file);
        }
    }

    /** Opens a suspended file again. Returns whether it is open: too many files may be, or another one may have its name. */
    boolean wake(TrackedFile file) throws IOException {
        if (troubles.isWaiting(file) || !channels.makeRoom()) {
            return false;
        }
        try {
            if (file.wake()) {
                channels.used(file);
                troubles.over(file);
            }
        } catch (NoSuchFileException e) {
            LOG.debug("{} was renamed or removed: the scan finds out", file.path(), e);
        } catch (FileSystemException e) {
            troubles.waitFor(file, file.path(), e);
        }
        return file.isOpen();
    }

    /** Checks a suspended file that cannot stay open, with a channel for the time of the check. */
    boolean isCutWhileSuspended(TrackedFile file) throws IOException {
        try {
            return !troubles.isWaiting(file) && file.wake() && file.isCut();
        } catch (NoSuchFileException e) {
            LOG.debug("{} was renamed or removed: the scan finds out", file.path(), e);
            return false;
        } finally {
            file.suspend();
        }
    }

    /** Continues a file in its copy or packed version, whose content matches up to a mark. */
    void resume(TrackedFile file, ContentFingerprint mark, Path path) throws IOException {
        FileIdentity identity = FileIdentity.of(path);
        LOG.info("{} was made from {}: resuming after byte {}", path, file.path(), file.position());
        String before = file.identity().key();
        ended.remove(before);
        file.continuesIn(path, identity);
        byKey.remove(before, file);
        file.marks.plain.cutAt(mark.at());
        byKey.put(identity.key(), file);
        beginnings.moved(file.partition(), identity);
        if (file.end() >= 0) {
            finished.add(file);
        } else if (!file.isOpen() || file.waitsForCopy()) {
            // Nothing more can be read before: many files may be cut at once, and each would hold a second channel.
            file.resume();
            channels.used(file);
        }
    }

    /** Hands over the rest of a file and the event of its end. */
    void end(TrackedFile file, ReadAheadSource.Out out) throws IOException, SourceException, InterruptedException {
        SourceEvent last = file.last();
        if (last != null) {
            out.put(last);
        }
        file.markEnd();
        file.close();
        channels.closed(file);
        if (followed) {
            remember(file);
        }
        if (followed && !file.isGone() && byKey.get(file.identity().key()) == file) {
            finished.add(file);
        }
        out.put(new RecordSource.Event.Ended(file.partition()));
    }

    private void remember(TrackedFile file) {
        PositionFile.Entry end = file.ending();
        if (end != null) {
            ended.put(end.identity().key(), end);
        }
        if (ended.size() > MAX_ENDED) {
            ended.remove(ended.keySet().iterator().next());
        }
    }

    /** Releases the key of a file: from now on it belongs to another file. */
    void releaseKey(TrackedFile file) {
        byKey.remove(file.identity().key(), file);
    }

    /** Removes the files that were read to their end and no longer exist. */
    boolean removeFinished(Map<String, Path> now) {
        List<TrackedFile> gone = finished.takeGone(now);
        for (TrackedFile file : gone) {
            releaseKey(file);
            forgetReplaced(file, now);
            file.markGone();
            if (file.isOver()) {
                beginnings.forget(file.partition());
            }
        }
        return !gone.isEmpty();
    }

    // A damaged file that was rewritten in its place is another file, with the same number and perhaps the same first
    // bytes.
    private void forgetReplaced(TrackedFile file, Map<String, Path> now) {
        String key = file.identity().key();
        Path path = now.get(key);
        if (path != null && finished.isMended(file, path)) {
            LOG.info("{} was damaged, and has changed: reading it from its start", path);
            ended.remove(key);
            file.replaced();
            beginnings.moved(file.partition(), file.identity());
        }
    }

    /**
     * Files that were read to their end and still exist, usually packed ones. They are closed, so another file may reuse the number
     * of one. A changed modification time shows that the first bytes must be checked again. Not thread-safe.
     */
    private static final class FinishedFiles {

        private static final FileTime UNKNOWN = FileTime.fromMillis(Long.MIN_VALUE);

        /** The files with their last known modification time. */
        private final Map<TrackedFile, FileTime> files = new LinkedHashMap<>();

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
                boolean changed = !time.equals(done.getValue());
                if (changed && (!file.identity().isStillOf(path) || isMended(file, path))) {
                    return false;
                }
                done.setValue(time);
                // Another file may have the old name: it would be compared with itself, and wait for ever.
                file.renamedTo(path);
                return !hasGrown(file, path);
            } catch (IOException e) {
                LOG.debug("{} cannot be checked", path, e);
                return true;
            }
        }

        /** Returns whether packed data that was damaged can be read further by now. */
        boolean isMended(TrackedFile file, Path path) {
            try {
                return file.damagedAt() >= 0 && UnpackedContent.isReadablePast(path, file.damagedAt());
            } catch (IOException e) {
                LOG.debug("{} cannot be checked", path, e);
                return false;
            }
        }

        /** Returns whether a file has grown beyond an incomplete copy. Only logs the growth of packed data. */
        private boolean hasGrown(TrackedFile file, Path path) throws IOException {
            boolean grown = Files.size(path) > file.size();
            if (grown && file.isCompressed() && warned.add(file)) {
                LOG.warn("{} has grown after the end of its packed data: the added bytes are not read", path);
            }
            return grown && !file.isCompressed();
        }
    }
}
