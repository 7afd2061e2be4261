package io.updraft.pipeline.source;

import io.updraft.pipeline.connector.SourceException;
import io.updraft.pipeline.connector.SourceSpec;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Scans the directories of a source: once at the start and, if files are followed, repeatedly. Detects files that are new,
 * renamed, removed or cut. Not thread-safe.
 */
final class DirectoryScan {

    private static final Logger LOG = LoggerFactory.getLogger(DirectoryScan.class);

    private final SourceSpec.Files spec;
    private final FileListing listing;
    private final TrackedFiles files;
    private final NewFileClassifier fresh;
    private final FileTroubles troubles;
    /** The new files that cannot be read now. */
    private final Set<Path> unreadable = new HashSet<>();

    private int partitionsBefore;

    DirectoryScan(SourceSpec.Files spec, TrackedFiles files, NewFileClassifier fresh, FileTroubles troubles) {
        this.spec = spec;
        this.troubles = troubles;
        listing = new FileListing(spec, troubles);
        this.files = files;
        this.fresh = fresh;
    }

    /** Finds the files, so that mistakes are reported at once. */
    void first() throws SourceException {
        fresh.beginScan();
        Collection<Path> found = listing.first().values();
        List<Path> unknown = new ArrayList<>();
        for (Path path : found) {
            attempt(path, () -> {
                if (fresh.trackKnown(path) == null) {
                    unknown.add(path);
                }
            });
        }
        // Packed files come last: their originals may be among the files.
        Map<Boolean, List<Path>> packed =
                unknown.stream().collect(Collectors.partitioningBy(UnpackedContent::mayBePacked));
        Set<TrackedFile> resumed = new HashSet<>(files.active);
        for (Path path : Stream.concat(packed.get(false).stream(), packed.get(true).stream())
                .toList()) {
            attempt(path, () -> {
                // An incomplete packed file is checked again once its original was read.
                if (!fresh.isInTheMaking(path)) {
                    fresh.trackUnknown(path, resumed::contains, true);
                }
            });
        }
        files.sort(found);
        if (files.active.isEmpty() && !spec.follow()) {
            throw new SourceException("no files: the directory is empty, or nothing matches the pattern: "
                    + String.join(", ", spec.paths()));
        }
    }

    @FunctionalInterface
    private interface Attempt {
        void run() throws IOException;
    }

    private void attempt(Path path, Attempt attempt) throws SourceException {
        try {
            attempt.run();
        } catch (NoSuchFileException e) {
            if (!spec.follow()) {
                throw failed(path, e);
            }
            LOG.debug("{} disappeared during the scan", path, e);
        } catch (IOException e) {
            if (!spec.follow()) {
                throw failed(path, e);
            }
            unreadable(path, e);
        }
    }

    private static SourceException failed(Path path, IOException e) {
        return new SourceException(path + ": " + FileFinder.reason(e), e);
    }

    /** Scans again. A copy exists before its original is cut, so new files are checked before cut files are read again. */
    void again(ReadAheadSource.Out out) throws IOException, SourceException, InterruptedException {
        fresh.beginScan();
        Set<TrackedFile> cut = cut();
        Map<String, Path> now = listing.again(files::path);
        boolean changed = !cut.isEmpty() || files.partitions.keySet().size() != partitionsBefore;
        for (TrackedFile file : List.copyOf(files.active)) {
            changed |= isGone(file, now);
        }
        changed |= files.removeFinished(now);
        for (Map.Entry<String, Path> entry : now.entrySet()) {
            if (files.withKey(entry.getKey()) == null) {
                add(entry.getValue(), changed, out);
            }
        }
        fresh.keep(now.keySet());
        keep(Set.copyOf(now.values()));
        for (TrackedFile file : cut) {
            readFromStart(file, now, out);
        }
        files.partitions.values().stream().filter(TrackedFile::isLeft).forEach(TrackedFile::markMissed);
        partitionsBefore = files.partitions.keySet().size();
    }

    private Set<TrackedFile> cut() throws ClosedByInterruptException {
        Set<TrackedFile> cut = new LinkedHashSet<>();
        for (TrackedFile file : files.active) {
            if (file.isGone() ? isCutSince(file) : isCut(file)) {
                cut.add(file);
            }
        }
        return cut;
    }

    // Opens a suspended file again if it may have changed.
    private boolean isCut(TrackedFile file) throws ClosedByInterruptException {
        if (!isOutdated(file)) {
            return file.waitsForCopy();
        }
        try {
            if (file.isSuspended() && !files.wake(file)) {
                file.check.forget();
                return files.isCutWhileSuspended(file);
            }
            return file.isOpen() ? file.isCut() : file.waitsForCopy();
        } catch (IOException e) {
            throwIfClosed(e);
            file.check.forget();
            troubles.waitFor(file, file.path(), e);
            return false;
        }
    }

    private boolean isCutSince(TrackedFile gone) {
        try {
            return gone.isOpen() && gone.isCut();
        } catch (IOException e) {
            LOG.debug("{} cannot be checked", gone.path(), e);
            return false;
        }
    }

    private static boolean isOutdated(TrackedFile file) {
        try {
            return file.check.isOutdated(file.path());
        } catch (IOException e) {
            // An open file needs no name. For the others, the listing finds out where they are now.
            file.check.forget();
            return file.isOpen();
        }
    }

    /**
     * Returns whether a file has disappeared since the last scan. If it was renamed, its new name is recorded. A file that is
     * back before its end was reported is read on.
     */
    private boolean isGone(TrackedFile file, Map<String, Path> now) throws ClosedByInterruptException {
        Path path = now.get(file.identity().key());
        if (path != null && file.isGone()) {
            takeBack(file, path);
            return false;
        }
        if (!file.isGone() && (path == null || hasReusedKey(file, path))) {
            LOG.info("{} was renamed or removed: reading it to its end, then closing it", file.path());
            file.markGone();
            files.releaseKey(file);
            return true;
        }
        if (path != null && !path.equals(file.path())) {
            LOG.info("{} was renamed to {}; resuming", file.path(), path);
            file.renamedTo(path);
        }
        return false;
    }

    private void takeBack(TrackedFile file, Path path) throws ClosedByInterruptException {
        try {
            if (!file.isBackAt(path)) {
                file.markCutAt(path);
            } else if (files.withKey(file.identity().key()) == null && !isUnreadAndClosed(file)) {
                LOG.info("{} is back: resuming after byte {}", path, file.position());
                files.takeBack(file, path);
                readable(path);
            }
        } catch (IOException e) {
            waitFor(path, e);
        }
    }

    // A suspended file is not open, so after its removal a new file may get its number.
    private static boolean hasReusedKey(TrackedFile file, Path path) {
        try {
            return file.isSuspended() && !path.equals(file.path()) && (isUnreadAndClosed(file) || !file.isBackAt(path));
        } catch (IOException e) {
            LOG.debug("{} cannot be checked", path, e);
            return false;
        }
    }

    // Any file with its number may be this one. It counts as a new file, which may be a copy.
    private static boolean isUnreadAndClosed(TrackedFile file) {
        return file.position() == 0 && !file.isOpen();
    }

    private void add(Path path, boolean changed, ReadAheadSource.Out out)
            throws ClosedByInterruptException, InterruptedException {
        try {
            TrackedFile file = fresh.finishesAgain(path) ? null : track(path, changed);
            readable(path);
            if (file != null) {
                out.put(file.opened());
            }
        } catch (NoSuchFileException e) {
            LOG.debug("{} disappeared during the scan", path, e);
        } catch (IOException e) {
            waitFor(path, e);
        }
    }

    private TrackedFile track(Path path, boolean changed) throws IOException {
        TrackedFile file = fresh.trackReturned(path);
        file = file == null ? fresh.trackKnown(path) : file;
        return file == null ? fresh.trackUnknown(path, candidate -> true, changed) : file;
    }

    // A cut file is checked twice before it is read from its start: a rename may have hidden its copy.
    private void readFromStart(TrackedFile file, Map<String, Path> now, ReadAheadSource.Out out)
            throws IOException, SourceException, InterruptedException {
        Path path = now.get(file.identity().key());
        if (file.isGone() || path == null || !file.isCompressed() && !(file.isLeft() && file.isMissed())) {
            return;
        }
        LOG.warn("{} was cut after {} bytes of it had been read: reading it from its start", path, file.position());
        file.markGone();
        files.end(file, out);
        files.active.remove(file);
        files.releaseKey(file);
        try {
            out.put(fresh.begin(path).opened());
        } catch (IOException e) {
            waitFor(path, e);
        }
    }

    private void waitFor(Path path, IOException e) throws ClosedByInterruptException {
        throwIfClosed(e);
        unreadable(path, e);
    }

    // The end of the run interrupts a scan. The files are not at fault.
    private static void throwIfClosed(IOException e) throws ClosedByInterruptException {
        if (e instanceof ClosedByInterruptException closed) {
            throw closed;
        }
    }

    private void unreadable(Path path, IOException e) {
        unreadable.add(path);
        troubles.waitFor(path, path, e);
    }

    private void readable(Path path) {
        if (unreadable.remove(path)) {
            troubles.over(path);
        }
    }

    /** Stops waiting for new files that are gone. */
    private void keep(Set<Path> paths) {
        for (Path path : List.copyOf(unreadable)) {
            if (!paths.contains(path)) {
                unreadable.remove(path);
                troubles.gone(path);
            }
        }
    }
}
