package io.updraft.pipeline.source;

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
 * Decides what a file is that appears: one that an earlier run has read some of, what rotation has made of another one, or one that is to
 * be read from its start. One thread.
 */
final class NewFiles {

    private static final Logger LOG = LoggerFactory.getLogger(NewFiles.class);

    private final TrackedFiles files;
    private final Beginnings beginnings;
    private final boolean followed;
    private final Copies copies;

    /** Decides for files that are tracked together; the clock is of nanoseconds. */
    NewFiles(TrackedFiles files, Beginnings beginnings, boolean followed, LongSupplier clock) {
        this.files = files;
        this.beginnings = beginnings;
        this.followed = followed;
        copies = new Copies(clock);
    }

    /** Tracks a file that an earlier run has read some of; null if none has. */
    TrackedFile meetKnown(Path path) throws IOException {
        Positions.Entry entry = beginnings.known(path);
        if (entry == null || files.units().contains(entry.unit())) {
            return null;
        }
        return files.track(path, beginnings.after(entry, path));
    }

    /**
     * Tracks a file that is not known, or goes on with the one that it was made of.
     *
     * @param known of which it may have been made
     * @param changed whether one of these was cut, removed or done with since the last call
     * @return it, if it is to be opened; null if it goes on with another one, or it is not known yet what it is
     */
    TrackedFile meet(Path path, Collection<TrackedFile> known, boolean changed) throws IOException {
        Copies.Verdict verdict =
                copies.of(path, FileIdentity.key(path), followed ? known : List.of(), earlier(), changed);
        if (verdict.waits()) {
            return null;
        }
        if (verdict.file() != null) {
            files.goOn(verdict.file(), verdict.mark(), path);
            return null;
        }
        Positions.Entry entry = verdict.entry();
        if (entry == null) {
            return begin(path);
        }
        LOG.info(
                "{} was made of {}: it is read on after byte {}",
                path,
                entry.unit(),
                entry.commit().position());
        return files.track(path, beginnings.after(entry, path));
    }

    /** Tracks a file from its start. */
    TrackedFile begin(Path path) throws IOException {
        return files.track(path, beginnings.fresh(path, files.units()));
    }

    /** Whether a file is what one of those that are read is being packed into, and is not whole yet. */
    boolean isInTheMaking(Path path) throws IOException {
        return followed && copies.isInTheMaking(path, files.active());
    }

    /** Forgets files that are not there any more. */
    void keep(Set<String> keys) {
        copies.keep(keys);
    }

    /** What was read of files that are not there any more. */
    private List<Positions.Entry> earlier() {
        Predicate<Positions.Entry> there = entry -> {
            TrackedFile file = files.withKey(entry.identity().key());
            return file != null && file.unit().equals(entry.unit());
        };
        return beginnings.others(files.units()).stream().filter(there.negate()).toList();
    }
}
