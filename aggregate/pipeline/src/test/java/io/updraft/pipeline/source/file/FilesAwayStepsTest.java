package io.updraft.pipeline.source.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.pipeline.connector.RecordSource;
import io.updraft.pipeline.connector.SourceSpec;
import io.updraft.pipeline.line.LineFormat;
import io.updraft.timeseries.decode.DecodeSpec;
import io.updraft.timeseries.decode.DecodedColumn;
import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.RecordChunk;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Followed files that are missing at a step of reading. */
class FilesAwayStepsTest {

    private static final int LIMIT = 2;
    private static final long LONG_NANOS = 11_000_000_000L;

    @TempDir
    Path directory;

    private final List<String> read = new ArrayList<>();
    private final Map<String, TrackedFile> units = new ConcurrentHashMap<>();
    private Path logs;
    private Path away;
    private long now;
    private FileReadLoop reading;

    @BeforeEach
    void prepare() throws IOException {
        logs = Files.createDirectory(directory.resolve("logs"));
        away = directory.resolve("away");
    }

    @AfterEach
    void close() {
        units.values().forEach(TrackedFile::close);
    }

    @Test
    void shouldReadAPackedFileOnceThatWasMissingBeforeItWasRead() throws Exception {
        Files.write(logs.resolve("app.log.gz"), packed(lines(0, 100)));
        open();
        goAwayAndComeBack();
        drain();
        assertThat(read).isEqualTo(lines(0, 100));
    }

    @Test
    void shouldReadAPackedFileOnceThatWasMissingAfterItWasRead() throws Exception {
        Files.write(logs.resolve("app.log.gz"), packed(lines(0, 100)));
        open();
        turn();
        goAwayAndComeBack();
        goAwayAndComeBack();
        drain();
        assertThat(read).isEqualTo(lines(0, 100));
    }

    private void goAwayAndComeBack() throws Exception {
        Files.move(logs, away);
        look();
        Files.move(away, logs);
        look();
    }

    private void open() throws Exception {
        SourceSpec.Files spec = new SourceSpec.Files(
                List.of(logs.toString()), true, SourceSpec.Files.Order.TOGETHER, false, false, 1 << 20);
        LineFormat format = LineFormat.of(DecodeSpec.json(DecodedColumn.of("n", FieldType.LONG)), false, 1 << 20);
        reading = new FileReadLoop(
                spec, format, Duration.ZERO, new StartPositions(null, null), units, () -> now, new ChannelLimit(LIMIT));
        reading.find();
    }

    private static List<String> lines(int from, int to) {
        return IntStream.range(from, to).mapToObj(i -> "{\"n\":" + i + "}").toList();
    }

    private static byte[] packed(List<String> lines) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write((String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8));
        }
        return out.toByteArray();
    }

    private void look() throws Exception {
        now += LONG_NANOS;
        reading.look(this::take);
    }

    private boolean turn() throws Exception {
        return reading.turn(this::take);
    }

    private void drain() throws Exception {
        for (int i = 0; i < 5; i++) {
            look();
            while (turn()) {
                // Until there is nothing more.
            }
        }
    }

    private void take(RecordSource.Event event) {
        if (event instanceof RecordSource.Event.Records records) {
            RecordChunk chunk = records.chunk();
            new String(chunk.bytes(), 0, chunk.length(), StandardCharsets.UTF_8)
                    .lines()
                    .forEach(read::add);
        }
    }
}
