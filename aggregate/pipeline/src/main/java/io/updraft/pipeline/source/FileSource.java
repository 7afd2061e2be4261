package io.updraft.pipeline.source;

import io.updraft.observe.pipeline.SourceProgress;
import io.updraft.pipeline.connector.PartitionPosition;
import io.updraft.pipeline.connector.SourceException;
import io.updraft.pipeline.connector.SourceSpec;
import io.updraft.timeseries.decode.DecodeSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;

/**
 * Reads lines of files. Each file is a partition, and a position is a byte of the unpacked file. A thread of the source reads ahead
 * at most some 4 MB, as long as records are shorter than a chunk.
 */
final class FileSource extends ReadAheadSource {

    private static final int CAPACITY = 16;

    private final SourceSpec.Files spec;
    private final Map<String, TrackedFile> partitions = new ConcurrentHashMap<>();
    private final Map<String, Long> committed = new ConcurrentHashMap<>();
    private final PositionFile positions;
    private final StartPositions beginnings;
    private final FileReadLoop reading;
    private final AtomicLong bytesForgotten = new AtomicLong();
    private final boolean keptBySinks;
    private boolean closed;

    /**
     * Starts to read, at positions that sinks store if there are any. Throws a {@link
     * SourceException} when there are no files, a file cannot be read, or the state cannot be read.
     */
    public FileSource(
            SourceSpec.Files spec, DecodeSpec decode, Duration idle, Path state, Map<String, PartitionPosition> kept)
            throws SourceException {
        super("updraft-files", CAPACITY);
        this.spec = spec;
        this.keptBySinks = kept != null;
        positions = spec.resume() && state != null ? PositionFile.open(state) : null;
        LineFormat format = LineFormat.of(decode, spec.header(), spec.maxRecord());
        try {
            beginnings = new StartPositions(positions, spec.resume() ? kept : null);
            reading = new FileReadLoop(
                    spec, format, idle, beginnings, partitions, System::nanoTime, ChannelLimit.ofProcess());
            reading.find();
        } catch (SourceException e) {
            if (positions != null) {
                positions.close();
            }
            throw e;
        }
        start();
    }

    @Override
    public void read(Out out) throws SourceException, InterruptedException {
        reading.read(out);
    }

    @Override
    public void commit(PartitionPosition commit) {
        TrackedFile file = partitions.get(commit.partition());
        if (file == null) {
            return;
        }
        committed.merge(commit.partition(), commit.position(), Math::max);
        if (positions != null) {
            ContentFingerprint mark = file.marks.committed(commit.position());
            positions.put(new PositionFile.Entry(commit, file.identity(), mark));
        }
        if (spec.follow() && file.end() >= 0 && commit.position() >= file.end()) {
            forget(file);
        }
    }

    @Override
    public LongFunction<String> fingerprints(String partition) {
        TrackedFile file = keptBySinks ? partitions.get(partition) : null;
        // A file that comes back after its end is another one of the same partition.
        return file == null
                ? position -> ""
                : position -> partitions.getOrDefault(partition, file).marks.text(position);
    }

    @Override
    public OptionalLong lineAt(String partition, long position) {
        TrackedFile file = partitions.get(partition);
        return file == null ? OptionalLong.empty() : file.lineAt(position);
    }

    private void forget(TrackedFile file) {
        // The thread that reads may open the partition again at the same time.
        partitions.computeIfPresent(file.partition(), (partition, current) -> {
            if (current != file) {
                return current;
            }
            bytesForgotten.addAndGet(file.bytesRead());
            committed.remove(partition);
            file.markForgotten();
            if (file.isOver()) {
                beginnings.forget(partition);
            }
            return null;
        });
    }

    @Override
    public boolean forgetsPartitions() {
        return spec.follow();
    }

    @Override
    public SourceProgress progress() {
        long done = bytesForgotten.get();
        long size = done;
        for (TrackedFile file : partitions.values()) {
            done += file.bytesRead();
            size += file.size();
        }
        return new SourceProgress(done, spec.follow() ? -1 : size, Math.max(0, size - done), "bytes");
    }

    /** Returns how many entries for unfinished files are in memory. */
    int partitions() {
        return partitions.size() + committed.size();
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        boolean finished = ended() && allCommitted();
        super.close();
        if (positions != null) {
            if (finished && !spec.follow() && !keptBySinks) {
                positions.clear();
            }
            positions.close();
        }
    }

    // A run that has read and committed everything leaves no positions to resume from, unless sinks store them.
    private boolean allCommitted() {
        return partitions.values().stream()
                .allMatch(file -> file.end() >= 0 && committed.getOrDefault(file.partition(), 0L) >= file.end());
    }
}
