package io.updraft.pipeline.source.file;

import io.updraft.pipeline.connector.ReadAheadSource;
import io.updraft.pipeline.connector.SourceException;
import io.updraft.pipeline.connector.SourceSpec;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Scans the directories of a source: once at the start and, if files are followed, repeatedly. Detects files that are new,
 * renamed, removed or cut. One thread.
 */
final class DirectoryScan {

    private static final Logger LOG = LoggerFactory.getLogger(DirectoryScan.class);

    private final SourceSpec.Files spec;
    private final FileListing listing;
    private final TrackedFiles files;
    private final NewFileClassifier fresh;
    private final Set<Path> warned = new HashSet<>();
    private int unitsBefore;

    DirectoryScan(SourceSpec.Files spec, FileListing listing, TrackedFiles files, NewFileClassifier fresh) {
        this.spec = spec;
        this.listing = listing;
        this.files = files;
        this.fresh = fresh;
    }

    /** Finds the files, so that mistakes are reported at once. */
    void first() throws SourceException {
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
        unknown.sort(Comparator.comparing(UnpackedContent::mayBePacked));
        Set<TrackedFile> resumed = new HashSet<>(files.active);
        for (Path path : unknown) {
            attempt(path, () -> {
                // An incomplete packed file is checked again once its original was read.
                if (!fresh.isInTheMaking(path)) {
                    fresh.trackUnknown(path, resumed, true);
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
            throw failed(path, e);
        }
    }

    private static SourceException failed(Path path, IOException e) {
        return new SourceException(path + ": " + FileFinder.reason(e), e);
    }

    /** Scans again. A copy exists before its original is cut, so new files are checked before cut files are read again. */
    void again(ReadAheadSource.Out out) throws IOException, SourceException, InterruptedException {
        Set<TrackedFile> cut = cut();
        Map<String, Path> now = listing.again(files::path);
        boolean changed = !cut.isEmpty() || files.units.keySet().size() != unitsBefore;
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
        for (TrackedFile file : cut) {
            readFromStart(file, now, out);
        }
        files.units.values().stream().filter(TrackedFile::isLeft).forEach(TrackedFile::markMissed);
        unitsBefore = files.units.keySet().size();
    }

    private Set<TrackedFile> cut() throws IOException {
        Set<TrackedFile> cut = new LinkedHashSet<>();
        for (TrackedFile file : files.active) {
            if (isCut(file)) {
                cut.add(file);
            }
        }
        return cut;
    }

    // Opens a suspended file again if it may have changed.
    private boolean isCut(TrackedFile file) throws IOException {
        if (!isOutdated(file)) {
            return file.waitsForCopy();
        }
        if (file.isSuspended() && !files.wake(file)) {
            file.check.forget();
        }
        return file.isOpen() ? file.isCut() : file.waitsForCopy();
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
    private boolean isGone(TrackedFile file, Map<String, Path> now) throws IOException {
        Path path = now.get(file.identity().key());
        if (path != null && file.isGone()) {
            if (files.withKey(file.identity().key()) == null && file.isBackAt(path)) {
                LOG.info("{} is back: reading goes on after byte {}", path, file.position());
                files.takeBack(file, path);
            }
            return false;
        }
        if (!file.isGone() && (path == null || hasReusedKey(file, path))) {
            LOG.info("{} was renamed or removed: reading it to its end, then closing it", file.path());
            file.markGone();
            files.releaseKey(file);
            return true;
        }
        if (path != null && !path.equals(file.path())) {
            LOG.info("{} was renamed to {}; reading goes on", file.path(), path);
            file.renamedTo(path);
        }
        return false;
    }

    // A suspended file is not open, so after its removal a new file may get its number.
    private static boolean hasReusedKey(TrackedFile file, Path path) {
        try {
            return file.isSuspended() && !path.equals(file.path()) && !file.isBackAt(path);
        } catch (IOException e) {
            LOG.debug("{} cannot be checked", path, e);
            return false;
        }
    }

    private void add(Path path, boolean changed, ReadAheadSource.Out out) throws InterruptedException {
        try {
            if (fresh.finishesAgain(path)) {
                return;
            }
            TrackedFile file = fresh.trackReturned(path);
            file = file == null ? fresh.trackKnown(path) : file;
            file = file == null ? fresh.trackUnknown(path, files.units.values(), changed) : file;
            if (file != null) {
                out.put(file.opened());
            }
        } catch (NoSuchFileException e) {
            LOG.debug("{} disappeared during the scan", path, e);
        } catch (IOException e) {
            warnSkipped(path, e);
        }
    }

    // A cut file is checked twice before it is read from its start: a rename may have hidden its copy.
    private void readFromStart(TrackedFile file, Map<String, Path> now, ReadAheadSource.Out out)
            throws IOException, SourceException, InterruptedException {
        Path path = now.get(file.identity().key());
        if (file.isGone() || path == null || !file.isCompressed() && !(file.isLeft() && file.isMissed())) {
            return;
        }
        LOG.warn("{} was cut after {} bytes of it had been read: reading it from its start", path, file.position());
        files.active.remove(file);
        file.markGone();
        files.end(file, out);
        files.releaseKey(file);
        try {
            out.put(fresh.begin(path).opened());
        } catch (IOException e) {
            warnSkipped(path, e);
        }
    }

    private void warnSkipped(Path path, IOException e) {
        if (warned.add(path)) {
            LOG.warn("{} is skipped: {}", path, FileFinder.reason(e));
        }
    }
}
