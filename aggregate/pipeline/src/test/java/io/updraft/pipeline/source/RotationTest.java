package io.updraft.pipeline.source;

import static io.updraft.pipeline.TestFiles.gzip;
import static io.updraft.pipeline.TestFiles.lines;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
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
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that are followed while they are renamed, copied, cut and packed, as logrotate does. */
@Tag("one-jdk")
class RotationTest {

    private static final DecodeSpec JSON = DecodeSpec.json(DecodedColumn.of("n", FieldType.LONG));
    private static final String HEADER = "{\"header\":\"" + "x".repeat(2000) + "\"}\n";

    @TempDir
    Path directory;

    private Path log;
    private Path state;

    @BeforeEach
    void prepare() {
        log = directory.resolve("app.log");
        state = directory.resolve("state/positions");
    }

    @Test
    void shouldReadAFileOnceThatIsRenamedAndPacked() throws Exception {
        for (boolean zstd : new boolean[] {false, true}) {
            Files.deleteIfExists(state);
            Path packed = directory.resolve(zstd ? "app.log.1.zst" : "app.log.1.gz");
            Files.writeString(log, lines(0, 3000));
            try (SourceReading reading = new SourceReading(follow(null))) {
                reading.until(() -> reading.text(log.toString()).equals(lines(0, 3000)));
                Path old = Files.move(log, directory.resolve("app.log.1"));
                Files.writeString(old, lines(3000, 3100), StandardOpenOption.APPEND);
                pack(old, packed, zstd);
                Files.writeString(log, lines(3100, 3200));
                reading.until(
                        () -> all(reading).endsWith(lines(3100, 3200)) && reading.has(RecordSource.Event.Ended.class));
                Files.move(packed, directory.resolve("app.log.2.gz"));
                Files.writeString(directory.resolve("last.log"), "{\"n\":-1}\n");
                reading.until(() -> all(reading).contains("{\"n\":-1}\n"));
                assertThat(reading.text(log.toString())).isEqualTo(lines(0, 3100));
                assertThat(all(reading)).isEqualTo(lines(0, 3200) + "{\"n\":-1}\n");
            }
            Files.delete(log);
            Files.delete(directory.resolve("app.log.2.gz"));
            Files.delete(directory.resolve("last.log"));
        }
    }

    @Test
    void shouldWaitForAPackedFileWhileItsOriginalIsThere() throws Exception {
        String text = lines(0, 9000);
        Files.writeString(log, text);
        byte[] packed = gzip(text);
        try (SourceReading reading = new SourceReading(follow(state))) {
            reading.until(() -> reading.text(log.toString()).equals(text));
            Path old = Files.move(log, directory.resolve("app.log.1"));
            Path gz = directory.resolve("app.log.1.gz");
            Files.write(gz, new byte[0]);
            for (int part = 1; part <= 3; part++) {
                see(reading, part);
                Files.write(gz, Arrays.copyOf(packed, packed.length * part / 3));
            }
            see(reading, 4);
            Files.delete(old);
            reading.until(() -> reading.has(RecordSource.Event.Ended.class));
            assertThat(all(reading).replaceAll("\\{\"see\":\\d}\n", "")).isEqualTo(text);
        }
    }

    @Test
    void shouldReadOnInThePackedFileAfterARestart() throws Exception {
        Files.writeString(log, HEADER + lines(0, 3000));
        try (SourceReading reading = new SourceReading(follow(state))) {
            reading.until(() -> reading.text(log.toString()).endsWith(lines(2990, 3000)));
            reading.source()
                    .commit(new PartitionPosition(
                            log.toString(), HEADER.length() + lines(0, 3000).length(), 5));
        }
        Path old = Files.move(log, directory.resolve("app.log.1"));
        Files.writeString(old, lines(3000, 3100), StandardOpenOption.APPEND);
        pack(old, directory.resolve("app.log.1.gz"), false);
        Files.writeString(log, HEADER + lines(3100, 3200));
        for (int run = 0; run < 2; run++) {
            try (SourceReading reading = new SourceReading(follow(state))) {
                reading.until(() ->
                        all(reading).contains(lines(3000, 3100)) && all(reading).contains(HEADER + lines(3100, 3200)));
                assertThat(all(reading)).hasSize((HEADER + lines(3000, 3200)).length());
                assertThat(reading.text(log.toString())).isEqualTo(lines(3000, 3100));
                assertThat(reading.text(log + "#2")).isEqualTo(HEADER + lines(3100, 3200));
            }
        }
    }

    @Test
    void shouldReadOnInThePackedFileWhereSinksKeepPositions() throws Exception {
        Files.writeString(log, lines(0, 3000));
        try (SourceReading reading = new SourceReading(follow(state, Map.of()))) {
            reading.until(() -> reading.text(log.toString()).equals(lines(0, 3000)));
            reading.source()
                    .commit(new PartitionPosition(log.toString(), lines(0, 3000).length(), 5));
        }
        pack(log, directory.resolve("app.log.1.gz"), false);
        long kept = lines(0, 1000).length();
        try (SourceReading reading = new SourceReading(
                follow(state, Map.of(log.toString(), new PartitionPosition(log.toString(), kept, 5))))) {
            reading.until(() -> reading.has(RecordSource.Event.Ended.class));
            assertThat(all(reading)).isEqualTo(lines(1000, 3000));
        }
    }

    @Test
    void shouldReadAFileOnceThatIsCopiedAndCut() throws Exception {
        Files.writeString(log, HEADER + lines(0, 3000));
        try (SourceReading reading = new SourceReading(follow(state))) {
            reading.until(() -> reading.text(log.toString()).equals(HEADER + lines(0, 3000)));
            Path copy = directory.resolve("app.log.1");
            Files.copy(log, copy);
            // What was written last is in the copy only.
            Files.writeString(copy, lines(3000, 3010), StandardOpenOption.APPEND);
            Files.writeString(log, HEADER + lines(3010, 3020));
            reading.until(() -> all(reading).endsWith(lines(3010, 3020)));
            reading.until(() -> all(reading).contains(lines(3000, 3010)));
            pack(copy, directory.resolve("app.log.2.gz"), false);
            reading.until(() -> reading.has(RecordSource.Event.Ended.class));
            see(reading, 1);
            assertThat(reading.text(log.toString())).isEqualTo(HEADER + lines(0, 3010));
            assertThat(reading.text(log + "#2")).isEqualTo(HEADER + lines(3010, 3020));
            assertThat(reading.texts()).hasSize(3);
        }
    }

    @Test
    void shouldReadAFileOnceThatIsCopiedCutAndPackedWhileItIsDown() throws Exception {
        Files.writeString(log, HEADER + lines(0, 3000));
        try (SourceReading reading = new SourceReading(follow(state))) {
            reading.until(() -> reading.text(log.toString()).equals(HEADER + lines(0, 3000)));
            reading.source().commit(new PartitionPosition(log.toString(), (HEADER + lines(0, 3000)).length(), 5));
        }
        Path copy = Files.copy(log, directory.resolve("app.log.1"));
        Files.writeString(copy, lines(3000, 3010), StandardOpenOption.APPEND);
        pack(copy, directory.resolve("app.log.1.gz"), false);
        // The same header, and longer than before.
        Files.writeString(log, HEADER + lines(3010, 7000));
        try (SourceReading reading = new SourceReading(follow(state))) {
            reading.until(() -> reading.text(log.toString()).equals(lines(3000, 3010))
                    && reading.text(log + "#2").equals(HEADER + lines(3010, 7000)));
        }
    }

    @Test
    void shouldLeaveOutNothingThatWasCopiedBeforeTheLastWasRead() throws Exception {
        Files.writeString(log, lines(0, 3000));
        try (SourceReading reading = new SourceReading(follow(state))) {
            reading.until(() -> reading.text(log.toString()).equals(lines(0, 3000)));
            Path copy = Files.copy(log, directory.resolve("app.log.1"));
            Files.writeString(log, lines(3000, 3010), StandardOpenOption.APPEND);
            reading.until(() -> reading.text(log.toString()).equals(lines(0, 3010)));
            Files.writeString(log, lines(3010, 3020));
            reading.until(() -> reading.has(RecordSource.Event.Ended.class));
            pack(copy, directory.resolve("app.log.1.gz"), false);
            reading.until(() -> reading.text(log + "#2").equals(lines(3010, 3020)));
            see(reading, 1);
            see(reading, 2);
            assertThat(reading.text(log.toString())).isEqualTo(lines(0, 3010));
            assertThat(reading.texts()).hasSize(4);
        }
    }

    /** Loss is worse than a warning. */
    @Test
    void shouldReadAllOfAnotherFileThatBeginsAsOneThatIsGone() throws Exception {
        Files.writeString(log, HEADER + lines(0, 100));
        try (SourceReading reading = new SourceReading(follow(state))) {
            reading.until(() -> reading.text(log.toString()).equals(HEADER + lines(0, 100)));
            reading.source().commit(new PartitionPosition(log.toString(), (HEADER + lines(0, 100)).length(), 5));
            Files.delete(log);
            Files.write(directory.resolve("b.gz"), gzip(HEADER + lines(200, 900)));
            Files.write(directory.resolve("c.gz"), gzip(HEADER + lines(900, 901)));
            reading.until(() -> reading.of(RecordSource.Event.Ended.class).size() == 3);
            assertThat(reading.text(directory.resolve("b.gz").toString())).isEqualTo(HEADER + lines(200, 900));
            assertThat(reading.text(directory.resolve("c.gz").toString())).isEqualTo(HEADER + lines(900, 901));
        }
    }

    @Test
    void shouldReadAllOfAFileThatBeginsAsOneThatIsThere() throws Exception {
        Files.writeString(log, HEADER + lines(0, 100));
        try (SourceReading reading = new SourceReading(follow(state))) {
            reading.until(() -> reading.text(log.toString()).equals(HEADER + lines(0, 100)));
            Path other = Files.writeString(directory.resolve("b.log"), HEADER);
            see(reading, 1);
            assertThat(reading.texts()).hasSize(2);
            Files.writeString(other, lines(200, 210), StandardOpenOption.APPEND);
            reading.until(() -> reading.text(other.toString()).equals(HEADER + lines(200, 210)));
        }
    }

    /** An older version has kept no marks: nothing proves what is packed. */
    @Test
    void shouldReadAPackedFileFromItsStartOfWhichTooLittleIsKnown() throws Exception {
        Files.writeString(log, lines(0, 100));
        try (SourceReading reading = new SourceReading(follow(state))) {
            reading.until(() -> reading.text(log.toString()).equals(lines(0, 100)));
            reading.source().commit(new PartitionPosition(log.toString(), 9, 5));
        }
        assertThat(Files.readAllLines(state).get(1)).contains(":");
        Files.writeString(state, Files.readString(state).replaceAll("/[0-9a-f]+:[0-9a-f]+:[0-9a-f:]+\t", "\t"));
        Path packed = directory.resolve("app.log.1.gz");
        pack(log, packed, false);
        try (SourceReading reading = new SourceReading(follow(state))) {
            reading.until(() -> reading.text(packed.toString()).equals(lines(0, 100)));
        }
    }

    @Test
    void shouldSayAtTheStartWhereTheStateCannotBeMade() throws Exception {
        Files.writeString(log, "1\n");
        Path below = Files.writeString(directory.resolve("file"), "").resolve("below/positions");
        assertThatThrownBy(() -> follow(below))
                .isInstanceOf(SourceException.class)
                .hasMessage("state file %s: %s: Not a directory", below, below.getParent());
    }

    @Test
    void shouldWriteTheStateOnceThereIsRoomAgain() throws Exception {
        Files.writeString(log, "1\n");
        Path inTheWay = Files.createDirectories(directory.resolve("state/positions.new/in-the-way"));
        try (SourceReading reading = new SourceReading(follow(state))) {
            reading.until(() -> reading.text(log.toString()).equals("1\n"));
            reading.source().commit(new PartitionPosition(log.toString(), 2, 5));
            Files.writeString(log, "2\n", StandardOpenOption.APPEND);
            reading.until(() -> reading.text(log.toString()).equals("1\n2\n"));
            assertThat(state).doesNotExist();
            Files.delete(inTheWay);
            Files.delete(inTheWay.getParent());
            // Nothing more is committed.
            reading.until(() -> Files.exists(state));
        }
        assertThat(Files.readAllLines(state)).hasSize(2).element(1).asString().startsWith("2\t");
    }

    /** A file that appears is seen when a later one is read. */
    private void see(SourceReading reading, int number) throws Exception {
        String line = "{\"see\":" + number + "}\n";
        Path file = Files.writeString(directory.resolve("zz-see-" + number), line);
        reading.until(() -> reading.text(file.toString()).equals(line));
    }

    private static String all(SourceReading reading) {
        StringBuilder all = new StringBuilder();
        reading.texts().keySet().forEach(partition -> all.append(reading.text(partition)));
        return all.toString();
    }

    private static void pack(Path file, Path into, boolean zstd) throws IOException {
        byte[] packed = zstd ? Zstd.compress(Files.readAllBytes(file)) : gzip(Files.readString(file));
        Path fresh = file.resolveSibling(".fresh");
        Files.write(fresh, packed);
        Files.move(fresh, into, StandardCopyOption.ATOMIC_MOVE);
        Files.delete(file);
    }

    private FileSource follow(Path state) throws SourceException {
        return follow(state, null);
    }

    private FileSource follow(Path state, Map<String, PartitionPosition> kept) throws SourceException {
        SourceSpec.Files spec = new SourceSpec.Files(
                List.of(directory.toString()), true, SourceSpec.Files.Order.TOGETHER, true, false, 1 << 20);
        return new FileSource(spec, JSON, Duration.ZERO, state, kept);
    }
}
