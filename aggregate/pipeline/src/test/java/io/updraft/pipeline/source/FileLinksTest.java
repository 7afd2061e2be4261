package io.updraft.pipeline.source;

import static io.updraft.pipeline.TestFiles.append;
import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.base.record.Chunk;
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
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files with several names: each is read once. */
class FileLinksTest {

    private static final DecodeSpec JSON = DecodeSpec.json(DecodedColumn.of("a", FieldType.TEXT));

    @TempDir
    Path directory;

    @TempDir
    Path elsewhere;

    private Path log;

    @BeforeEach
    void write() throws IOException {
        log = Files.writeString(directory.resolve("b.log"), "1\n2\n");
    }

    @Test
    void shouldReadAFileOnceThatHasLinks() throws Exception {
        Files.createSymbolicLink(directory.resolve("a.log"), log);
        Files.createLink(directory.resolve("c.log"), log);
        Path other = Files.createSymbolicLink(elsewhere.resolve("other"), directory);
        for (boolean follow : new boolean[] {false, true}) {
            String[] paths = {directory + "/*.log", directory.toString(), other.toString(), directory + "/./b.log"};
            try (SourceReading reading = new SourceReading(open(follow, paths))) {
                reading.until(() ->
                        reading.has(Chunk.class) && (follow || reading.source().ended()));
                if (follow) {
                    see(reading, 1);
                }
                assertThat(reading.text(log.toString())).isEqualTo("1\n2\n");
                assertThat(reading.texts()).hasSize(follow ? 2 : 1);
            }
        }
    }

    @Test
    void shouldReadOnlyWhatIsNewWhereALinkIsMadeLaterAndMovedToAnotherFile() throws Exception {
        try (SourceReading reading = new SourceReading(open(true, directory.toString()))) {
            reading.until(() -> reading.text(log.toString()).equals("1\n2\n"));
            Path link = Files.createSymbolicLink(directory.resolve("a.log"), log);
            see(reading, 1);
            Path next = Files.writeString(directory.resolve("c.log"), "3\n");
            Files.delete(link);
            Files.createSymbolicLink(link, next);
            append(log, "4\n");
            reading.until(() -> reading.text(log.toString()).equals("1\n2\n4\n")
                    && reading.text(next.toString()).equals("3\n"));
            see(reading, 2);
            assertThat(reading.texts()).hasSize(4);
            assertThat(reading.has(RecordSource.Event.Ended.class)).isFalse();
        }
    }

    @Test
    void shouldGoOnWhereALinkIsMovedToAnotherFileAndBack() throws Exception {
        Path next = Files.writeString(directory.resolve("c.log"), "3\n");
        Path link = Files.createSymbolicLink(directory.resolve("a.log"), log);
        try (SourceReading reading = new SourceReading(open(true, link.toString()))) {
            reading.until(() -> reading.text(link.toString()).equals("1\n2\n"));
            Files.delete(link);
            Files.createSymbolicLink(link, next);
            reading.until(() -> reading.text(link + "#2").equals("3\n") && reading.has(RecordSource.Event.Ended.class));
            append(log, "4\n");
            Files.delete(link);
            Files.createSymbolicLink(link, log);
            reading.until(() -> reading.text(link.toString()).equals("1\n2\n4\n"));
            assertThat(reading.texts()).hasSize(2);
        }
    }

    @Test
    void shouldGoOnUnderTheOtherNameWhenAHardLinkIsDeleted() throws Exception {
        Path other = Files.createLink(directory.resolve("c.log"), log);
        try (SourceReading reading = new SourceReading(open(true, directory.toString()))) {
            reading.until(() -> reading.text(log.toString()).equals("1\n2\n"));
            Files.delete(log);
            append(other, "3\n");
            see(reading, 1);
            append(other, "4\n");
            reading.until(() -> reading.text(log.toString()).equals("1\n2\n3\n4\n"));
            assertThat(reading.texts()).hasSize(2);
        }
    }

    /** A file that appears is seen when a later one is read. */
    private void see(SourceReading reading, int number) throws Exception {
        Path file = Files.writeString(directory.resolve("zz-see-" + number), "{\"see\":" + number + "}\n");
        reading.until(() -> !reading.text(file.toString()).isEmpty());
    }

    private static RecordSource open(boolean follow, String... paths) throws SourceException {
        List<String> all = Arrays.asList(paths);
        return new FileSource(
                new SourceSpec.Files(all, follow, SourceSpec.Files.Order.TOGETHER, false, false, 1 << 20),
                JSON,
                Duration.ZERO,
                null,
                null);
    }

    @Test
    void shouldNotLookBelowTheDirectoryOfAPattern(@TempDir Path parent) throws Exception {
        Path logs = Files.createDirectory(parent.resolve("logs"));
        Path log = Files.writeString(logs.resolve("a.log"), "1\n");
        Files.createSymbolicLink(Files.createDirectory(logs.resolve("below")).resolve("loop"), logs);
        Files.createSymbolicLink(logs.resolve("up"), parent);
        assertThat(FileFinder.find(List.of(logs + "/*.log"), false)).containsExactly(log);
    }
}
