package io.updraft.pipeline.source;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the thread does that reads files: a chunk of each in turn, in a fixed order. */
final class FileReading {

    private static final Logger LOG = LoggerFactory.getLogger(FileReading.class);
    private static final int MOST_OPEN = 64;
    private static final long WAIT_MILLIS = 20;
    private static final long LOOK_NANOS = 500_000_000L;

    private final SourceSpec.Files spec;
    private final LineFormat format;
    private final Beginnings beginnings;
    private final long idleNanos;
    private final Map<String, TrackedFile> units;
    private final Map<String, TrackedFile> byKey = new HashMap<>();
    private final List<TrackedFile> active = new ArrayList<>();
    /** Packed files that were read to their end, and are still there; with the time of the last change that is known. */
    private final Map<TrackedFile, FileTime> finished = new HashMap<>();

    private final Map<TrackedFile, Long> quietSince = new HashMap<>();
    private final Set<String> told = new HashSet<>();
    private final LongSupplier clock;
    private final Copies copies;
    private int unitsBefore;

    /**
     * Reads files.
     *
     * @param beginnings say from where each file is to be read
     * @param units told of each file; any thread may look into it
     * @param clock nanoseconds
     */
    FileReading(
            SourceSpec.Files spec,
            LineFormat format,
            Duration idle,
            Beginnings beginnings,
            Map<String, TrackedFile> units,
            LongSupplier clock) {
        this.spec = spec;
        this.format = format;
        this.idleNanos = idle.toNanos();
        this.beginnings = beginnings;
        this.units = units;
        this.clock = clock;
        copies = new Copies(clock);
    }

    /** Finds the files, so that what is wrong with them is told at once. */
    void find() throws SourceException {
        List<Path> found = FileFinder.find(spec.paths());
        List<Path> unknown = new ArrayList<>();
        for (Path path : found) {
            try {
                if (!trackKnown(path)) {
                    unknown.add(path);
                }
            } catch (NoSuchFileException e) {
                tellGone(path, e);
            } catch (IOException e) {
                throw new SourceException(path + ": " + FileFinder.reason(e), e);
            }
        }
        Set<TrackedFile> resumed = new HashSet<>(active);
        // What is packed comes last: its original may be there.
        unknown.sort(Comparator.comparing(Content::mayBePacked));
        for (Path path : unknown) {
            try {
                // What is still being packed is looked at again when its original was read.
                if (!spec.follow() || !copies.isInTheMaking(path, active)) {
                    meet(path, resumed, true);
                }
            } catch (NoSuchFileException e) {
                tellGone(path, e);
            } catch (IOException e) {
                throw new SourceException(path + ": " + FileFinder.reason(e), e);
            }
        }
        active.sort(Comparator.comparingInt(file -> found.indexOf(file.path())));
        if (active.isEmpty() && !spec.follow()) {
            throw new SourceException("no files: nothing is in, or matches, " + String.join(", ", spec.paths()));
        }
    }

    private void tellGone(Path path, NoSuchFileException e) throws SourceException {
        if (!spec.follow()) {
            throw new SourceException(path + ": " + FileFinder.reason(e), e);
        }
        LOG.debug("{} went away while it was looked at", path, e);
    }

    /** Tracks a file that an earlier run has read some of; whether it has. */
    private boolean trackKnown(Path path) throws IOException {
        Positions.Entry entry = beginnings.known(path);
        if (entry == null || units.containsKey(entry.unit())) {
            return false;
        }
        track(path, beginnings.after(entry, path));
        return true;
    }

    /** Tracks a file that is not known, or goes on with the one that it was made of; null if there is nothing to open. */
    private TrackedFile meet(Path path, Collection<TrackedFile> files, boolean changed) throws IOException {
        Copies.Verdict verdict =
                copies.of(path, FileIdentity.key(path), spec.follow() ? files : List.of(), earlier(), changed);
        if (verdict.waits()) {
            return null;
        }
        if (verdict.file() != null) {
            goOn(verdict.file(), verdict.mark(), path);
            return null;
        }
        Positions.Entry entry = verdict.entry();
        if (entry == null) {
            return track(path, beginnings.fresh(path, units.keySet()));
        }
        LOG.info(
                "{} was made of {}: it is read on after byte {}",
                path,
                entry.unit(),
                entry.commit().position());
        return track(path, beginnings.after(entry, path));
    }

    /** What was read of files that are not there any more. */
    private List<Positions.Entry> earlier() {
        Predicate<Positions.Entry> there = entry -> {
            TrackedFile file = byKey.get(entry.identity().key());
            return file != null && file.unit().equals(entry.unit());
        };
        return beginnings.others(units.keySet()).stream().filter(there.negate()).toList();
    }

    private TrackedFile track(Path path, Beginnings.Beginning begin) throws IOException {
        TrackedFile file = new TrackedFile(begin, path, format, spec.follow(), Files.size(path));
        if (spec.follow() && !file.openSame()) {
            throw new NoSuchFileException(path.toString());
        }
        units.put(file.unit(), file);
        byKey.put(begin.identity().key(), file);
        active.add(file);
        return file;
    }

    /** A file was packed or copied into another one, which has its positions. */
    private void goOn(TrackedFile file, ContentMark mark, Path path) throws IOException {
        FileIdentity identity = FileIdentity.of(path);
        LOG.info("{} was made of {}: it is read on after byte {}", path, file.path(), file.position());
        String before = file.identity().key();
        file.continuesIn(path, identity);
        byKey.remove(before, file);
        file.marks().cutAt(mark.at());
        byKey.put(identity.key(), file);
        beginnings.moved(file.unit(), identity);
        if (file.end() >= 0) {
            finished.put(file, FileTime.fromMillis(Long.MIN_VALUE));
        }
    }

    /** Reads to the end, or for ever. */
    void read(ReadAhead.Out out) throws SourceException, InterruptedException {
        try {
            if (spec.order() == SourceSpec.Files.Order.SEQUENCE) {
                readInSequence(out);
            } else {
                readTogether(out);
            }
        } catch (ClosedByInterruptException e) {
            throw interrupted();
        } catch (IOException e) {
            throw new SourceException(String.join(", ", spec.paths()) + ": " + FileFinder.reason(e), e);
        } finally {
            units.values().forEach(TrackedFile::close);
        }
    }

    private static InterruptedException interrupted() {
        return new InterruptedException("closed");
    }

    // The next file is opened before the last one has ended: there is no moment at which no file holds windows open.
    private void readInSequence(ReadAhead.Out out) throws IOException, SourceException, InterruptedException {
        if (!active.isEmpty()) {
            out.put(active.get(0).opened());
        }
        for (int i = 0; i < active.size(); i++) {
            TrackedFile file = active.get(i);
            while (step(file, out)) {
                // Until its end.
            }
            if (i + 1 < active.size()) {
                out.put(active.get(i + 1).opened());
            }
            end(file, out);
        }
    }

    private void readTogether(ReadAhead.Out out) throws IOException, SourceException, InterruptedException {
        for (TrackedFile file : active) {
            out.put(file.opened());
        }
        long looked = clock.getAsLong();
        while (!active.isEmpty() || spec.follow()) {
            boolean worked = turn(out);
            if (spec.follow() && (!worked || clock.getAsLong() - looked > 10 * LOOK_NANOS)) {
                if (clock.getAsLong() - looked > LOOK_NANOS) {
                    look(out);
                    looked = clock.getAsLong();
                }
                if (!worked) {
                    Thread.sleep(WAIT_MILLIS);
                }
            }
        }
    }

    /** Reads a piece of each file; whether there was any. */
    boolean turn(ReadAhead.Out out) throws IOException, SourceException, InterruptedException {
        boolean worked = false;
        int open = 0;
        for (Iterator<TrackedFile> files = active.iterator();
                files.hasNext() && (spec.follow() || open < MOST_OPEN);
                open++) {
            TrackedFile file = files.next();
            if (step(file, out)) {
                worked = true;
            } else if (file.waitsForCopy() && !file.isGone()) {
                continue;
            } else if (!spec.follow() || file.isGone() || file.hasNoMore()) {
                end(file, out);
                files.remove();
            }
        }
        return worked;
    }

    // Whether there was something to read.
    private boolean step(TrackedFile file, ReadAhead.Out out)
            throws IOException, SourceException, InterruptedException {
        try {
            if (!file.isOpen()) {
                file.open();
            }
            Source.Event event = file.waitsForCopy() ? null : file.next();
            if (event == null && file.goOn()) {
                return true;
            }
            if (event == null) {
                if (file.isGone()) {
                    byKey.remove(file.identity().key(), file);
                }
                checkWhole(file);
                quiet(file, out);
                return false;
            }
            quietSince.remove(file);
            out.put(event);
            return true;
        } catch (ClosedByInterruptException e) {
            throw interrupted();
        } catch (IOException e) {
            throw new SourceException(
                    file.path() + ": cannot be read on after byte " + file.position() + ": " + FileFinder.reason(e), e);
        }
    }

    private void checkWhole(TrackedFile file) throws SourceException {
        if (file.brokenOff() == null) {
            return;
        }
        String problem =
                file.path() + ": the packed data breaks off after byte " + file.position() + " of what it holds";
        if (!spec.follow()) {
            throw new SourceException(problem, file.brokenOff());
        }
        if (file.isGone()) {
            LOG.warn("{}, and the file is gone", problem);
        } else if (told.add(file.unit())) {
            LOG.warn("{}: it is read on when there is more", problem);
        }
    }

    private void quiet(TrackedFile file, ReadAhead.Out out) throws InterruptedException {
        if (!spec.follow() || idleNanos == 0) {
            return;
        }
        long since = quietSince.computeIfAbsent(file, f -> clock.getAsLong());
        if (since != Long.MAX_VALUE && clock.getAsLong() - since > idleNanos) {
            quietSince.put(file, Long.MAX_VALUE);
            out.put(new Source.Event.Idle(file.unit()));
        }
    }

    private void end(TrackedFile file, ReadAhead.Out out) throws IOException, SourceException, InterruptedException {
        Source.Event last = file.last();
        if (last != null) {
            out.put(last);
        }
        file.markEnd();
        file.close();
        quietSince.remove(file);
        if (spec.follow() && !file.isGone() && byKey.get(file.identity().key()) == file) {
            finished.put(file, FileTime.fromMillis(Long.MIN_VALUE));
        }
        out.put(new Source.Event.Ended(file.unit()));
    }

    /** Looks for new files, and for those that were renamed, removed or cut. What a file was copied into is there before it is cut. */
    void look(ReadAhead.Out out) throws IOException, SourceException, InterruptedException {
        Set<TrackedFile> cut = cut();
        Map<String, Path> now = listed();
        boolean changed = !cut.isEmpty() || units.size() != unitsBefore;
        for (TrackedFile file : List.copyOf(active)) {
            changed |= lookAfter(file, now);
        }
        changed |= finished.entrySet()
                .removeIf(file ->
                        !isStillThere(file, now.get(file.getKey().identity().key())));
        for (Map.Entry<String, Path> entry : now.entrySet()) {
            if (!byKey.containsKey(entry.getKey())) {
                add(entry.getValue(), changed, out);
            }
        }
        copies.keep(now.keySet());
        for (TrackedFile file : cut) {
            readAnew(file, now, out);
        }
        units.values().stream().filter(TrackedFile::isLeft).forEach(TrackedFile::markMissed);
        unitsBefore = units.size();
    }

    /** Files that were cut. */
    private Set<TrackedFile> cut() throws IOException {
        Set<TrackedFile> cut = new LinkedHashSet<>();
        for (TrackedFile file : active) {
            if (!file.isGone() && file.isOpen() && file.isCut()) {
                cut.add(file);
            }
        }
        return cut;
    }

    private Map<String, Path> listed() throws SourceException {
        Map<String, Path> now = new LinkedHashMap<>();
        for (Path path : found()) {
            try {
                now.put(FileIdentity.key(path), path);
            } catch (IOException e) {
                LOG.debug("{} went away while it was looked at", path, e);
            }
        }
        return now;
    }

    /** Whether a file that was read to its end, and is open no more, is what has its number now; forgets it if not. */
    private boolean isStillThere(Map.Entry<TrackedFile, FileTime> done, Path path) {
        TrackedFile file = done.getKey();
        try {
            FileTime time = path == null ? null : Files.getLastModifiedTime(path);
            if (path != null && (time.equals(done.getValue()) || file.identity().isStillOf(path))) {
                done.setValue(time);
                if (!tellIfGrown(file, path)) {
                    return true;
                }
            }
        } catch (IOException e) {
            LOG.debug("{} cannot be looked at", path, e);
            return true;
        }
        byKey.remove(file.identity().key(), file);
        file.markGone();
        if (file.isOver()) {
            beginnings.forget(file.unit());
        }
        return false;
    }

    /** Whether a file is more than a copy that lacks the last that was read. Nothing is added to packed data. */
    private boolean tellIfGrown(TrackedFile file, Path path) throws IOException {
        boolean grown = Files.size(path) > file.size();
        if (grown && file.isCompressed() && told.add(file.unit() + " has grown")) {
            LOG.warn("{} has grown after its packed data had come to an end: what was added is not read", path);
        }
        return grown && !file.isCompressed();
    }

    private List<Path> found() throws SourceException {
        List<Path> found = new ArrayList<>();
        for (String path : spec.paths()) {
            if (FileFinder.isPattern(path) || Files.exists(Path.of(path))) {
                found.addAll(FileFinder.find(List.of(path)));
            }
        }
        return found;
    }

    /** Whether a file has gone that was there. */
    private boolean lookAfter(TrackedFile file, Map<String, Path> now) {
        Path path = now.get(file.identity().key());
        if (path == null && !file.isGone()) {
            LOG.info("{} was renamed or removed: it is read to its end and then no more", file.path());
            file.markGone();
            byKey.remove(file.identity().key());
            return true;
        }
        if (path != null && !path.equals(file.path())) {
            LOG.info("{} is called {} now, and is read on", file.path(), path);
            file.renamedTo(path);
        }
        return false;
    }

    // A file that was cut is looked at twice, lest what it was copied into was missed between two names.
    private void readAnew(TrackedFile file, Map<String, Path> now, ReadAhead.Out out)
            throws IOException, SourceException, InterruptedException {
        Path path = now.get(file.identity().key());
        if (file.isGone() || path == null || !file.isCompressed() && !(file.isLeft() && file.isMissed())) {
            return;
        }
        LOG.warn("{} was cut after {} bytes of it had been read: it is read from its start", path, file.position());
        active.remove(file);
        file.markGone();
        end(file, out);
        byKey.remove(file.identity().key(), file);
        try {
            out.put(track(path, beginnings.fresh(path, units.keySet())).opened());
        } catch (IOException e) {
            tellLeftOut(path, e);
        }
    }

    private void add(Path path, boolean changed, ReadAhead.Out out) throws InterruptedException {
        try {
            TrackedFile file = trackKnown(path) ? active.get(active.size() - 1) : meet(path, units.values(), changed);
            if (file != null) {
                out.put(file.opened());
            }
        } catch (NoSuchFileException e) {
            LOG.debug("{} went away while it was looked at", path, e);
        } catch (IOException e) {
            tellLeftOut(path, e);
        }
    }

    private void tellLeftOut(Path path, IOException e) {
        if (told.add(path.toString())) {
            LOG.warn("{} is left out: {}", path, FileFinder.reason(e));
        }
    }
}
