package io.updraft.pipeline.source;

import static io.updraft.pipeline.TestFiles.append;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.base.record.Chunk;
import io.updraft.base.record.SourceEvent;
import io.updraft.pipeline.connector.RecordSource;
import io.updraft.pipeline.connector.SourceException;
import io.updraft.pipeline.connector.SourceReading;
import io.updraft.pipeline.connector.SourceSpec;
import io.updraft.timeseries.decode.DecodeSpec;
import io.updraft.timeseries.decode.DecodedColumn;
import io.updraft.timeseries.record.FieldType;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Followed files and directories that cannot be read for a while: the others are read on. */
class UnreadableFilesTest {

    private static final DecodeSpec JSON = DecodeSpec.json(DecodedColumn.of("n", FieldType.LONG));
    private static final long SECOND = 1_000_000_000L;

    @TempDir
    Path directory;

    private Path logs;
    private Path log;
    private final Map<String, TrackedFile> partitions = new ConcurrentHashMap<>();
    private final List<SourceEvent> events = new ArrayList<>();
    private long now;

    @BeforeEach
    void prepare() throws IOException {
        logs = Files.createDirectory(directory.resolve("logs"));
        log = Files.writeString(logs.resolve("app.log"), "1\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/*.log", "/**.log"})
    void shouldReadOtherFilesWhileOneCannotBeOpened(String pattern) throws Exception {
        Path broken = link(logs.resolve("broken.log"));
        assertThatThrownBy(() -> open(false, logs + pattern))
                .isInstanceOf(SourceException.class)
                .hasMessageContaining("broken.log: Too many levels of symbolic links");
        try (SourceReading reading = new SourceReading(open(true, logs + pattern))) {
            reading.until(() -> reading.text(log.toString()).equals("1\n"));
            Path later = Files.writeString(logs.resolve("later.log"), "2\n");
            reading.until(() -> reading.text(later.toString()).equals("2\n"));
            Files.delete(broken);
            Files.writeString(broken, "3\n");
            reading.until(() -> reading.text(broken.toString()).equals("3\n"));
            assertThat(reading.has(RecordSource.Event.Ended.class)).isFalse();
        }
    }

    @Test
    void shouldGoOnWhenADirectoryWasAFileForAWhile() throws Exception {
        try (SourceReading reading = new SourceReading(open(true, log.toString()))) {
            reading.until(() -> reading.text(log.toString()).equals("1\n"));
            Path away = Files.move(logs, directory.resolve("away"));
            Files.writeString(logs, "a file");
            append(away.resolve("app.log"), "2\n");
            reading.until(() -> reading.text(log.toString()).equals("1\n2\n"));
            Files.delete(logs);
            Files.move(away, logs);
            append(log, "3\n");
            reading.until(() -> reading.text(log.toString()).equals("1\n2\n3\n"));
            assertThat(reading.texts()).hasSize(1);
            assertThat(reading.has(RecordSource.Event.Ended.class)).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
    void shouldLoseNothingWhenADiskFailsAfterSomeReads(int reads) throws Exception {
        Files.writeString(log, "{\"n\":1}\n".repeat(200));
        FileReadLoop loop = loop();
        FailingChannel disk = new FailingChannel(FileChannel.open(log, StandardOpenOption.READ));
        partitions.get(log.toString()).use(disk);
        disk.failAfter(reads);
        loop.turn(events::add);
        append(log, "{\"n\":2}\n".repeat(200));
        loop.turn(events::add);
        disk.failAfter(Integer.MAX_VALUE);
        for (int i = 0; i < 3; i++) {
            now += SECOND;
            loop.turn(events::add);
        }
        assertThat(text()).isEqualTo("{\"n\":1}\n".repeat(200) + "{\"n\":2}\n".repeat(200));
    }

    @Test
    void shouldTryAgainToOpenAFile() throws Exception {
        FileReadLoop loop = loop();
        partitions.get(log.toString()).close();
        Path away = Files.move(logs, directory.resolve("away"));
        Files.writeString(logs, "a file");
        assertThat(loop.turn(events::add)).isFalse();
        Files.delete(logs);
        Files.move(away, logs);
        now += SECOND;
        assertThat(loop.turn(events::add)).isTrue();
        assertThat(text()).isEqualTo("1\n");
    }

    @Test
    void shouldEndAFileThatIsGoneAndCannotBeRead() throws Exception {
        FileReadLoop loop = loop();
        FailingChannel disk = new FailingChannel(FileChannel.open(log, StandardOpenOption.READ));
        partitions.get(log.toString()).use(disk);
        disk.failAfter(0);
        Files.delete(log);
        loop.look(events::add);
        loop.turn(events::add);
        assertThat(events).noneMatch(RecordSource.Event.Ended.class::isInstance);
        for (int i = 0; i < 12; i++) {
            now += SECOND;
            loop.turn(events::add);
        }
        assertThat(events).anyMatch(RecordSource.Event.Ended.class::isInstance);
    }

    @Test
    void shouldPassOverALinkToADirectoryAboveIt() throws Exception {
        Path below = Files.createDirectory(logs.resolve("below"));
        Files.createSymbolicLink(below.resolve("loop"), logs);
        Path deep = Files.writeString(below.resolve("deep.log"), "2\n");
        for (boolean follow : new boolean[] {false, true}) {
            try (SourceReading reading = new SourceReading(open(follow, logs + "/**.log"))) {
                reading.until(() -> reading.text(log.toString()).equals("1\n")
                        && reading.text(deep.toString()).equals("2\n"));
                assertThat(reading.texts()).hasSize(2);
            }
        }
    }

    private static Path link(Path itself) throws IOException {
        return Files.createSymbolicLink(itself, itself);
    }

    private String text() {
        StringBuilder text = new StringBuilder();
        for (SourceEvent event : events) {
            if (event instanceof Chunk chunk) {
                text.append(new String(chunk.bytes(), 0, chunk.length(), StandardCharsets.UTF_8));
            }
        }
        return text.toString();
    }

    private FileReadLoop loop() throws SourceException {
        LineFormat format = LineFormat.of(JSON, false, 1 << 20);
        StartPositions beginnings = new StartPositions(null, null);
        FileReadLoop loop = new FileReadLoop(
                spec(true, logs.toString()),
                format,
                Duration.ZERO,
                beginnings,
                partitions,
                () -> now,
                new ChannelLimit(64));
        loop.find();
        return loop;
    }

    private static SourceSpec.Files spec(boolean follow, String path) {
        return new SourceSpec.Files(List.of(path), follow, SourceSpec.Files.Order.TOGETHER, false, false, 1 << 20);
    }

    private static RecordSource open(boolean follow, String path) throws SourceException {
        return new FileSource(spec(follow, path), JSON, Duration.ZERO, null, null);
    }
}
