package io.updraft.pipeline.source.file;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides how to read a file that appears: an earlier run may have read part of it, rotation may have made it from another
 * file, or it is new and is read from its start. One thread.
 */
final class NewFileClassifier {

    private static final Logger LOG = LoggerFactory.getLogger(NewFileClassifier.class);

    private final TrackedFiles files;
    private final StartPositions beginnings;
    private final boolean followed;
    private final CopyDetector copies;

    NewFileClassifier(TrackedFiles files, StartPositions beginnings, boolean followed, LongSupplier clock) {
        this.files = files;
        this.beginnings = beginnings;
        this.followed = followed;
        copies = new CopyDetector(clock);
    }

    /** Tracks a file that an earlier run has read in part; returns null if none has. */
    TrackedFile trackKnown(Path path) throws IOException {
        PositionFile.Entry entry = beginnings.known(path);
        if (entry == null || files.units().contains(entry.unit())) {
            return null;
        }
        return files.track(path, beginnings.after(entry, path));
    }

    /**
     * Tracks an unknown file, or continues the file that it was made from.
     *
     * @param known the files from which it may have been made
     * @param changed whether one of these files was cut, removed or finished since the last call
     * @return the file to open; null if the file continues another one, or its origin is not known yet
     */
    TrackedFile trackUnknown(Path path, Collection<TrackedFile> known, boolean changed) throws IOException {
        CopyDetector.Verdict verdict =
                copies.of(path, FileIdentity.key(path), followed ? known : List.of(), earlier(), changed);
        if (verdict.waits()) {
            return null;
        }
        if (verdict.file() != null) {
            files.resume(verdict.file(), verdict.mark(), path);
            return null;
        }
        PositionFile.Entry entry = verdict.entry();
        if (entry == null) {
            return begin(path);
        }
        LOG.info(
                "{} was made from {}: reading goes on after byte {}",
                path,
                entry.unit(),
                entry.commit().position());
        return files.track(path, beginnings.after(entry, path));
    }

    TrackedFile begin(Path path) throws IOException {
        return files.track(path, beginnings.fresh(path, files.units()));
    }

    /** Returns whether a file is the incomplete packed version of a file that is read. */
    boolean isInTheMaking(Path path) throws IOException {
        return followed && copies.isInTheMaking(path, files.active());
    }

    void keep(Set<String> keys) {
        copies.keep(keys);
    }

    private List<PositionFile.Entry> earlier() {
        Predicate<PositionFile.Entry> there = entry -> {
            TrackedFile file = files.withKey(entry.identity().key());
            return file != null && file.unit().equals(entry.unit());
        };
        return beginnings.others(files.units()).stream().filter(there.negate()).toList();
    }
}
