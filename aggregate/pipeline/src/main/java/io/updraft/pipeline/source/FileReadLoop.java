package io.updraft.pipeline.source;

import io.updraft.base.record.SourceEvent;
import io.updraft.pipeline.connector.RecordSource;
import io.updraft.pipeline.connector.SourceException;
import io.updraft.pipeline.connector.SourceSpec;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The loop of the thread that reads files: one chunk of each file in turn, in a fixed order. */
final class FileReadLoop {

    private static final Logger LOG = LoggerFactory.getLogger(FileReadLoop.class);
    private static final int MAX_OPEN = 64;
    private static final long WAIT_MILLIS = 20;
    private static final long SCAN_NANOS = 500_000_000L;
    /** The pause between scans is at least this many times as long as a scan, which takes long if there are many files. */
    private static final long PAUSES = 5;

    /** How long a missing file may come back with the rest of its last line. */
    private static final long LINE_NANOS = 10_000_000_000L;

    private final SourceSpec.Files spec;
    private final long idleNanos;
    private final LongSupplier clock;
    private final FileTroubles troubles;
    private final TrackedFiles files;
    private final DirectoryScan look;
    private final Map<TrackedFile, Long> quietSince = new HashMap<>();
    /** Whether no turn has followed the last scan. Only then may anything have changed about most suspended files. */
    private boolean scanned = true;

    /** Since when files are missing whose last line has no end. */
    private final Map<TrackedFile, Long> missingSince = new HashMap<>();

    private final Set<String> warned = new HashSet<>();

    /** Creates the loop. Any thread may read {@code partitions}, which receives each file; the clock is in nanoseconds. */
    FileReadLoop(
            SourceSpec.Files spec,
            LineFormat format,
            Duration idle,
            StartPositions beginnings,
            Map<String, TrackedFile> partitions,
            LongSupplier clock,
            ChannelLimit channels) {
        this.spec = spec;
        this.idleNanos = idle.toNanos();
        this.clock = clock;
        troubles = new FileTroubles(clock);
        files = new TrackedFiles(format, spec.follow(), beginnings, partitions, channels, troubles);
        NewFileClassifier fresh = new NewFileClassifier(files, beginnings, spec.follow(), clock);
        look = new DirectoryScan(spec, files, fresh, troubles);
    }

    void find() throws SourceException {
        look.first();
    }

    void look(ReadAheadSource.Out out) throws IOException, SourceException, InterruptedException {
        look.again(out);
        scanned = true;
        quietSince.keySet().removeIf(file -> file.end() >= 0);
        missingSince.keySet().removeIf(file -> file.end() >= 0 || !file.isGone());
    }

    /** Reads to the end; without an end until the thread is interrupted. */
    void read(ReadAheadSource.Out out) throws SourceException, InterruptedException {
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
            files.partitions.values().forEach(TrackedFile::close);
        }
    }

    private static InterruptedException interrupted() {
        return new InterruptedException("closed");
    }

    // The next file is opened before the current one ends, so that at every moment some file holds windows open.
    private void readInSequence(ReadAheadSource.Out out) throws IOException, SourceException, InterruptedException {
        List<TrackedFile> active = List.copyOf(files.active);
        if (!active.isEmpty()) {
            out.put(active.get(0).opened());
        }
        for (int i = 0; i < active.size(); i++) {
            TrackedFile file = active.get(i);
            while (step(file, out)) {
                // Repeats until the end of the file.
            }
            if (i + 1 < active.size()) {
                out.put(active.get(i + 1).opened());
            }
            files.end(file, out);
        }
    }

    private void readTogether(ReadAheadSource.Out out) throws IOException, SourceException, InterruptedException {
        for (TrackedFile file : files.active) {
            out.put(file.opened());
        }
        long scannedNanos = clock.getAsLong();
        long pauseNanos = SCAN_NANOS;
        while (!files.active.isEmpty() || spec.follow()) {
            boolean worked = turn(out);
            if (spec.follow() && (!worked || clock.getAsLong() - scannedNanos > 10 * pauseNanos)) {
                long now = clock.getAsLong();
                if (now - scannedNanos > pauseNanos) {
                    look(out);
                    scannedNanos = clock.getAsLong();
                    pauseNanos = Math.max(SCAN_NANOS, PAUSES * (scannedNanos - now));
                }
                if (!worked) {
                    Thread.sleep(WAIT_MILLIS);
                }
            }
        }
    }

    /** Reads a chunk of each file; returns whether there was any. */
    boolean turn(ReadAheadSource.Out out) throws IOException, SourceException, InterruptedException {
        boolean worked = false;
        int open = 0;
        for (Iterator<TrackedFile> active = files.active.iterator();
                active.hasNext() && (spec.follow() || open < MAX_OPEN);
                open++) {
            TrackedFile file = active.next();
            if (staysSuspended(file, out)) {
                continue;
            }
            if (step(file, out)) {
                worked = true;
            } else if (file.waitsForCopy() && !file.isGone()) {
                continue;
            } else if (!spec.follow() || isOver(file)) {
                files.end(file, out);
                troubles.gone(file);
                active.remove();
            }
        }
        scanned = false;
        return worked;
    }

    private boolean staysSuspended(TrackedFile file, ReadAheadSource.Out out) throws IOException, InterruptedException {
        if (!file.isSuspended()) {
            return false;
        }
        if (file.isDue()) {
            return !files.wake(file);
        }
        if (scanned && !troubles.has(file)) {
            quiet(file, out);
        }
        return true;
    }

    private boolean isOver(TrackedFile file) {
        return file.isGone() ? !waitsForRest(file) : !troubles.has(file) && file.hasNoMore();
    }

    // A file that is missing in the middle of a line, or that cannot be read, may come back with the rest.
    private boolean waitsForRest(TrackedFile file) {
        if (!file.hasPartOfLine() && !troubles.has(file)) {
            return false;
        }
        long since = missingSince.computeIfAbsent(file, missing -> clock.getAsLong());
        boolean waits = clock.getAsLong() - since < LINE_NANOS;
        if (!waits) {
            missingSince.remove(file);
        }
        return waits;
    }

    // Returns whether there was something to read.
    private boolean step(TrackedFile file, ReadAheadSource.Out out) throws SourceException, InterruptedException {
        if (troubles.isWaiting(file)) {
            return false;
        }
        try {
            boolean worked = readNext(file, out);
            if (file.isOpen()) {
                troubles.over(file);
            }
            return worked;
        } catch (ClosedByInterruptException e) {
            throw interrupted();
        } catch (IOException e) {
            if (!spec.follow()) {
                throw failed(file, e);
            }
            troubles.waitFor(file, file.path(), e);
            return false;
        }
    }

    private boolean readNext(TrackedFile file, ReadAheadSource.Out out)
            throws IOException, SourceException, InterruptedException {
        if (!file.isOpen()) {
            file.open();
        } else if (troubles.has(file)) {
            file.reopen();
        }
        SourceEvent event = file.waitsForCopy() || !file.isOpen() ? null : file.next();
        if (event == null && file.resume()) {
            files.read(file);
            return true;
        }
        if (event == null) {
            if (file.isGone()) {
                files.releaseKey(file);
            }
            checkWhole(file);
            quiet(file, out);
            return false;
        }
        files.read(file);
        quietSince.remove(file);
        missingSince.remove(file);
        out.put(event);
        return true;
    }

    private static SourceException failed(TrackedFile file, IOException e) {
        return new SourceException(
                file.path() + ": reading failed after byte " + file.position() + ": " + FileFinder.reason(e), e);
    }

    private void checkWhole(TrackedFile file) throws SourceException {
        if (file.damage() != null && !spec.follow()) {
            throw failed(file, file.damage());
        }
        if (file.damage() != null) {
            LOG.warn(
                    "{}: the packed data is damaged after byte {} of its content ({}): the rest is not read",
                    file.path(),
                    file.position(),
                    FileFinder.reason(file.damage()));
        }
        if (file.brokenOff() == null) {
            return;
        }
        String problem =
                file.path() + ": the packed data is truncated after byte " + file.position() + " of its content";
        if (!spec.follow()) {
            throw new SourceException(problem, file.brokenOff());
        }
        if (file.isGone()) {
            LOG.warn("{}, and the file was removed", problem);
        } else if (warned.add(file.partition())) {
            LOG.warn("{}: resuming when the file grows", problem);
        }
    }

    private void quiet(TrackedFile file, ReadAheadSource.Out out) throws InterruptedException {
        if (!spec.follow() || idleNanos == 0) {
            return;
        }
        long since = quietSince.computeIfAbsent(file, f -> clock.getAsLong());
        if (since != Long.MAX_VALUE && clock.getAsLong() - since > idleNanos) {
            quietSince.put(file, Long.MAX_VALUE);
            out.put(new RecordSource.Event.Idle(file.partition()));
        }
    }
}
