package io.updraft.pipeline.source;

import io.updraft.timeseries.decode.DecodeSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Lines of files, each of which is a unit. A position is a byte of the unpacked file. One thread of its own reads ahead, at most
 * some 16 MB as long as records are shorter than a chunk.
 */
public final class FileSource implements Source {

    private static final int CAPACITY = 64;

    private final SourceSpec.Files spec;
    private final Map<String, TrackedFile> units = new ConcurrentHashMap<>();
    private final Map<String, Long> committed = new ConcurrentHashMap<>();
    private final Positions positions;
    private final Beginnings beginnings;
    private final ReadAhead ahead;
    private final AtomicLong bytesForgotten = new AtomicLong();
    private final boolean keptBySinks;
    private boolean closed;

    /**
     * Begins to read.
     *
     * @param spec which files
     * @param decode what records are in them
     * @param idle after how long a file that is followed and does not grow is told to be idle; zero for never
     * @param state the file where positions are kept; only if {@code spec.resume()}
     * @throws SourceException when there are no files, or one cannot be read, or the state cannot
     */
    public FileSource(SourceSpec.Files spec, DecodeSpec decode, Duration idle, Path state) throws SourceException {
        this(spec, decode, idle, state, null);
    }

    /**
     * Begins to read, or goes on.
     *
     * @param spec which files
     * @param decode what records are in them
     * @param idle after how long a file that is followed and does not grow is told to be idle; zero for never
     * @param state the file where positions are kept; only if {@code spec.resume()}
     * @param kept positions that sinks have kept with results, by unit, which count more than the file's; null if no sink keeps any.
     *     Only if {@code spec.resume()}
     * @throws SourceException when there are no files, or one cannot be read, or the state cannot
     */
    public FileSource(SourceSpec.Files spec, DecodeSpec decode, Duration idle, Path state, Map<String, Commit> kept)
            throws SourceException {
        this.spec = spec;
        this.keptBySinks = kept != null;
        positions = spec.resume() && state != null ? Positions.open(state) : null;
        LineFormat format = LineFormat.of(decode, spec.header(), spec.maxRecord());
        beginnings = new Beginnings(positions, spec.resume() ? kept : null);
        FileReading reading = new FileReading(spec, format, idle, beginnings, units, System::nanoTime);
        ahead = new ReadAhead("updraft-files", CAPACITY, reading::read);
        try {
            reading.find();
        } catch (SourceException e) {
            if (positions != null) {
                positions.close();
            }
            throw e;
        }
        ahead.start();
    }

    @Override
    public List<Event> poll() throws SourceException {
        return ahead.poll();
    }

    @Override
    public void commit(Commit commit) {
        TrackedFile file = units.get(commit.unit());
        if (file == null) {
            return;
        }
        committed.merge(commit.unit(), commit.position(), Math::max);
        if (positions != null) {
            ContentMark mark = file.marks().committed(commit.position());
            positions.put(new Positions.Entry(commit, file.identity(), mark));
        }
        if (spec.follow() && file.end() >= 0 && commit.position() >= file.end()) {
            forget(file);
        }
    }

    /** A file that is followed, was read to its end, and is committed. */
    private void forget(TrackedFile file) {
        bytesForgotten.addAndGet(file.bytesRead());
        units.remove(file.unit());
        committed.remove(file.unit());
        file.markForgotten();
        if (file.isOver()) {
            beginnings.forget(file.unit());
        }
    }

    @Override
    public boolean forgetsUnits() {
        return spec.follow();
    }

    @Override
    public boolean ended() {
        return ahead.ended();
    }

    @Override
    public Progress progress() {
        long done = bytesForgotten.get();
        long size = done;
        for (TrackedFile file : units.values()) {
            done += file.bytesRead();
            size += file.size();
        }
        return new Progress(done, spec.follow() ? -1 : size, Math.max(0, size - done), "bytes");
    }

    /** How many files are known that are not done with. */
    int units() {
        return units.size() + committed.size();
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        boolean all = ahead.ended() && allCommitted();
        ahead.close();
        if (positions != null) {
            if (all && !spec.follow() && !keptBySinks) {
                positions.clear();
            }
            positions.close();
        }
    }

    // A run that has read everything leaves nothing to go on from, unless sinks do.
    private boolean allCommitted() {
        return units.values().stream()
                .allMatch(file -> file.end() >= 0 && committed.getOrDefault(file.unit(), 0L) >= file.end());
    }
}
