package io.updraft.pipeline.source;

import io.updraft.base.record.Chunk;
import io.updraft.base.record.SourceEvent;
import io.updraft.pipeline.connector.RecordSource;
import io.updraft.pipeline.connector.SourceException;
import io.updraft.pipeline.connector.SourceSpec;
import io.updraft.timeseries.decode.DecodeSpec;
import io.updraft.timeseries.decode.DecodedColumn;
import io.updraft.timeseries.record.FieldType;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Follows a directory scan by scan and turn by turn, on a clock of its own. */
final class StepwiseReading implements AutoCloseable {

    /** Longer than it takes until a short file is read that has the same bytes as another one. */
    static final long LONG_NANOS = 11_000_000_000L;

    /** The lines that were handed over. */
    final List<String> lines = new ArrayList<>();
    /** The partitions that were reported as idle. */
    final List<String> idle = new ArrayList<>();

    final Map<String, TrackedFile> partitions = new ConcurrentHashMap<>();
    private long now;
    private FileReadLoop loop;

    void open(Path directory, int channels) throws SourceException {
        open(directory, channels, Duration.ZERO, null);
    }

    /** Finds the files, after the files of an earlier reading are closed. The positions may be null. */
    void open(Path directory, int channels, Duration idleAfter, PositionFile positions) throws SourceException {
        close();
        partitions.clear();
        SourceSpec.Files spec = new SourceSpec.Files(
                List.of(directory.toString()), true, SourceSpec.Files.Order.TOGETHER, false, false, 1 << 20);
        LineFormat format = LineFormat.of(DecodeSpec.json(DecodedColumn.of("n", FieldType.LONG)), false, 1 << 20);
        loop = new FileReadLoop(
                spec,
                format,
                idleAfter,
                new StartPositions(positions, null),
                partitions,
                () -> now,
                new ChannelLimit(channels));
        loop.find();
    }

    /** Scans the directory after a time. */
    void look(long nanos) throws Exception {
        now += nanos;
        loop.look(this::take);
    }

    /** Reads a chunk of each file; returns whether there was any. */
    boolean turn() throws Exception {
        return loop.turn(this::take);
    }

    /** Scans and reads until nothing is left that only waits for time to pass. */
    void drain() throws Exception {
        for (int i = 0; i < 5; i++) {
            look(LONG_NANOS);
            while (turn()) {
                // Until there is nothing more.
            }
        }
    }

    private void take(SourceEvent event) {
        if (event instanceof Chunk chunk) {
            new String(chunk.bytes(), 0, chunk.length(), StandardCharsets.UTF_8)
                    .lines()
                    .forEach(lines::add);
        } else if (event instanceof RecordSource.Event.Idle quiet) {
            idle.add(quiet.partition());
        }
    }

    @Override
    public void close() {
        partitions.values().forEach(TrackedFile::close);
    }
}
