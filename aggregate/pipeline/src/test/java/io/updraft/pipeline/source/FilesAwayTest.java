package io.updraft.pipeline.source;

import static io.updraft.pipeline.TestFiles.append;
import static io.updraft.pipeline.TestFiles.lines;
import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.pipeline.connector.PartitionPosition;
import io.updraft.pipeline.connector.RecordSource;
import io.updraft.pipeline.connector.SourceException;
import io.updraft.pipeline.connector.SourceReading;
import io.updraft.pipeline.connector.SourceSpec;
import io.updraft.timeseries.decode.DecodeSpec;
import io.updraft.timeseries.decode.DecodedColumn;
import io.updraft.timeseries.record.FieldType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Followed files that are missing for a while. */
@Tag("slow")
class FilesAwayTest {

    private static final DecodeSpec JSON = DecodeSpec.json(DecodedColumn.of("n", FieldType.LONG));

    @TempDir
    Path directory;

    private Path logs;
    private Path log;

    @BeforeEach
    void prepare() throws IOException {
        logs = Files.createDirectory(directory.resolve("logs"));
        log = logs.resolve("app.log");
    }

    @ParameterizedTest
    @CsvSource({
        "10, false, false",
        "10, true, false",
        "10, true, true",
        "3000, false, false",
        "3000, true, true",
        "3000, false, true"
    })
    void shouldGoOnInAFileThatIsBack(int count, boolean committed, boolean withState) throws Exception {
        Files.writeString(log, lines(0, count));
        try (SourceReading reading = new SourceReading(follow(withState))) {
            reading.until(() -> reading.text(log.toString()).equals(lines(0, count)));
            for (int i = 0; i < 3; i++) {
                Path away = Files.move(log, directory.resolve("app.log"));
                int ends = i + 1;
                reading.until(() -> reading.of(RecordSource.Event.Ended.class).size() == ends);
                if (committed) {
                    reading.source().commit(new PartitionPosition(log.toString(), Files.size(away), 5));
                }
                append(away, lines(count + i, count + i + 1));
                Files.move(away, log);
                int all = count + i + 1;
                reading.until(() -> reading.text(log.toString()).equals(lines(0, all)));
            }
            assertThat(reading.texts()).hasSize(1);
        }
    }

    @Test
    void shouldGoOnWhenTheDirectoryIsBack() throws Exception {
        Files.writeString(log, lines(0, 10));
        Path second = Files.writeString(logs.resolve("b.log"), lines(100, 3000));
        try (SourceReading reading = new SourceReading(follow(false))) {
            reading.until(() -> reading.text(second.toString()).equals(lines(100, 3000)));
            Path away = Files.move(logs, directory.resolve("away"));
            reading.until(() -> reading.of(RecordSource.Event.Ended.class).size() == 2);
            append(away.resolve("app.log"), lines(10, 20));
            append(away.resolve("b.log"), lines(3000, 3100));
            Files.move(away, logs);
            reading.until(() -> reading.text(log.toString()).equals(lines(0, 20))
                    && reading.text(second.toString()).equals(lines(100, 3100)));
            assertThat(reading.texts()).hasSize(2);
        }
    }

    @Test
    void shouldReadTheRestOfALineOfAFileThatIsBack() throws Exception {
        Files.writeString(log, lines(0, 10) + "{\"n\":");
        try (SourceReading reading = new SourceReading(follow(false))) {
            reading.until(() -> reading.text(log.toString()).equals(lines(0, 10)));
            Path away = Files.move(log, directory.resolve("app.log"));
            see(reading, 1);
            append(away, "10}\n");
            Files.move(away, log);
            reading.until(() -> reading.text(log.toString()).equals(lines(0, 11)));
        }
    }

    @Test
    void shouldReadAFileFromItsStartThatWasReplacedWhileItWasMissing() throws Exception {
        Files.writeString(log, lines(0, 3000));
        try (SourceReading reading = new SourceReading(follow(false))) {
            reading.until(() -> reading.text(log.toString()).equals(lines(0, 3000)));
            Path away = Files.move(log, directory.resolve("app.log"));
            reading.until(() -> reading.has(RecordSource.Event.Ended.class));
            Files.writeString(away, lines(5000, 9000));
            Files.move(away, log);
            reading.until(() -> reading.text(log + "#2").equals(lines(5000, 9000)));
            assertThat(reading.texts()).hasSize(2);
        }
    }

    @Test
    void shouldGoOnInACopyThatHasMore() throws Exception {
        Files.writeString(log, lines(0, 3000));
        try (SourceReading reading = new SourceReading(follow(false))) {
            reading.until(() -> reading.text(log.toString()).equals(lines(0, 3000)));
            Files.delete(log);
            reading.until(() -> reading.has(RecordSource.Event.Ended.class));
            Files.writeString(log, lines(0, 3100));
            reading.until(() -> reading.text(log.toString()).equals(lines(0, 3100)));
            assertThat(reading.texts()).hasSize(1);
        }
    }

    private void see(SourceReading reading, int number) throws Exception {
        Path file = Files.writeString(logs.resolve("zz-see-" + number), "{\"see\":" + number + "}\n");
        reading.until(() -> !reading.text(file.toString()).isEmpty());
    }

    private RecordSource follow(boolean withState) throws SourceException {
        SourceSpec.Files spec = new SourceSpec.Files(
                List.of(logs.toString()), true, SourceSpec.Files.Order.TOGETHER, withState, false, 1 << 20);
        Path state = withState ? directory.resolve("state/positions") : null;
        return new FileSource(spec, JSON, Duration.ZERO, state, null);
    }
}
