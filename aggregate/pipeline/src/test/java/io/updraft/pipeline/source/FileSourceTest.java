package io.updraft.pipeline.source;

import static io.updraft.pipeline.TestFiles.append;
import static io.updraft.pipeline.TestFiles.gzip;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.github.luben.zstd.Zstd;
import io.updraft.base.record.Chunk;
import io.updraft.observe.pipeline.SourceProgress;
import io.updraft.pipeline.connector.RecordSource;
import io.updraft.pipeline.connector.SourceException;
import io.updraft.pipeline.connector.SourceReading;
import io.updraft.pipeline.connector.SourceSpec;
import io.updraft.timeseries.decode.CsvFormat;
import io.updraft.timeseries.decode.DecodeSpec;
import io.updraft.timeseries.decode.DecodedColumn;
import io.updraft.timeseries.record.FieldType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileSourceTest {

    private static final DecodeSpec JSON = DecodeSpec.json(DecodedColumn.of("a", FieldType.TEXT));
    private static final int RECORD = 1 << 20;

    @TempDir
    Path directory;

    @Test
    void shouldReadAllFilesOfADirectoryInOrder() throws Exception {
        write("b.json", "{\"b\":1}\n{\"b\":2}\n");
        write("a.json", "{\"a\":1}");
        write(".hidden", "no");
        Files.createDirectory(directory.resolve("below"));
        try (SourceReading reading = new SourceReading(open(directory.toString())).toEnd()) {
            assertThat(reading.text(path("a.json"))).isEqualTo("{\"a\":1}");
            assertThat(reading.text(path("b.json"))).isEqualTo("{\"b\":1}\n{\"b\":2}\n");
            assertThat(reading.of(RecordSource.Event.Opened.class))
                    .extracting(RecordSource.Event::partition)
                    .containsExactly(path("a.json"), path("b.json"));
            assertThat(reading.of(RecordSource.Event.Ended.class)).hasSize(2);
            assertThat(reading.source().progress()).isEqualTo(new SourceProgress(23, 23, 0, "bytes"));
        }
    }

    @Test
    void shouldFindFilesByPattern() throws Exception {
        write("x1.json", "1\n");
        write("x2.json", "2\n");
        write("y.json", "3\n");
        try (RecordSource source = open(directory + "/x*.json")) {
            assertThat(new SourceReading(source).toEnd().texts()).containsOnlyKeys(path("x1.json"), path("x2.json"));
        }
    }

    @Test
    void shouldCutLargeFilesAtRecordsOnly() throws Exception {
        String text = lines(40_000);
        write("large.json", text);
        try (SourceReading reading = new SourceReading(open(path("large.json"))).toEnd()) {
            assertThat(reading.text(path("large.json"))).isEqualTo(text);
            assertThat(reading.of(Chunk.class)).hasSizeGreaterThan(5).allSatisfy(chunk -> {
                assertThat(chunk.bytes()[chunk.length() - 1]).isEqualTo((byte) '\n');
                assertThat(chunk.to() - chunk.from()).isEqualTo(chunk.length());
            });
        }
    }

    @Test
    void shouldUnpackGzipOfSeveralMembersAndZstandardOfSeveralFrames() throws Exception {
        String first = lines(9_000);
        String second = lines(5_000);
        Files.write(directory.resolve("a.gz"), concat(gzip(first), gzip(second)));
        Files.write(
                directory.resolve("b.zst"),
                concat(Zstd.compress(first.getBytes(UTF_8)), Zstd.compress(second.getBytes(UTF_8))));
        try (SourceReading reading = new SourceReading(open(directory.toString())).toEnd()) {
            assertThat(reading.text(path("a.gz"))).isEqualTo(first + second);
            assertThat(reading.text(path("b.zst"))).isEqualTo(first + second);
        }
    }

    @Test
    void shouldSayWherePackedDataBreaksOff() throws Exception {
        byte[] whole = gzip(lines(9_000));
        Files.write(directory.resolve("a.gz"), Arrays.copyOf(whole, whole.length / 2));
        try (SourceReading reading = new SourceReading(open(path("a.gz")))) {
            assertThatThrownBy(reading::toEnd)
                    .isInstanceOf(SourceException.class)
                    .hasMessageStartingWith(path("a.gz") + ": the packed data is truncated after byte ");
        }
    }

    @Test
    void shouldLeaveTheHeaderOutAndRefuseAnotherOne() throws Exception {
        DecodeSpec csv =
                DecodeSpec.csv(new CsvFormat(List.of("k", "v"), ',', '"', ""), DecodedColumn.of("k", FieldType.TEXT));
        write("a.csv", "k,v\na,1\n");
        write("b.csv", "k,v\n");
        write("c.csv", "k,v");
        try (SourceReading reading = new SourceReading(
                        new FileSource(files(directory.toString(), false, true), csv, Duration.ZERO, null, null))
                .toEnd()) {
            assertThat(reading.text(path("a.csv"))).isEqualTo("a,1\n");
            assertThat(reading.text(path("b.csv"))).isEmpty();
            assertThat(reading.positions()).containsEntry(path("a.csv"), 8L);
        }
        write("d.csv", "k,w\na,1\n");
        try (SourceReading reading = new SourceReading(
                new FileSource(files(directory.toString(), false, true), csv, Duration.ZERO, null, null))) {
            assertThatThrownBy(reading::toEnd)
                    .isInstanceOf(SourceException.class)
                    .hasMessage(path("d.csv") + ":1: the columns are k,w, but k,v are expected;"
                            + " read files with other columns in a pipeline of their own");
        }
    }

    @Test
    void shouldTellARecordThatIsTooLongAndGoOn() throws Exception {
        String huge = "x".repeat(3 * RECORD);
        write("a.json", "{\"a\":1}\n" + huge + "\n{\"a\":2}\n");
        try (SourceReading reading = new SourceReading(open(path("a.json"))).toEnd()) {
            assertThat(reading.text(path("a.json"))).isEqualTo("{\"a\":1}\n{\"a\":2}\n");
            assertThat(reading.of(RecordSource.Event.Rejected.class))
                    .singleElement()
                    .satisfies(bad -> {
                        assertThat(bad.position()).isEqualTo(8);
                        assertThat(bad.to()).isEqualTo(8 + huge.length() + 1);
                        assertThat(bad.reason()).isEqualTo("longer than 1048576 bytes");
                        assertThat(bad.head()).hasSize(1024);
                    });
        }
    }

    @Test
    void shouldGiveUpOnlyTheLineWhoseQuotesDoNotEnd() throws Exception {
        DecodeSpec csv =
                DecodeSpec.csv(new CsvFormat(List.of("k", "v"), ',', '"', ""), DecodedColumn.of("k", FieldType.TEXT));
        String rest = "b,2\n".repeat(RECORD / 2);
        write("a.csv", "a,\"1\n" + rest);
        try (SourceReading reading = new SourceReading(
                        new FileSource(files(path("a.csv"), false, false), csv, Duration.ZERO, null, null))
                .toEnd()) {
            assertThat(reading.text(path("a.csv"))).isEqualTo(rest);
            assertThat(reading.of(RecordSource.Event.Rejected.class))
                    .singleElement()
                    .satisfies(bad -> assertThat(bad.reason()).contains("quotes are not closed"));
        }
    }

    @Test
    void shouldReadWhateverBytesThereAre() throws Exception {
        byte[] noise = new byte[5 * RECORD];
        new Random(7).nextBytes(noise);
        noise[0] = 'x';
        Files.write(directory.resolve("noise"), noise);
        try (SourceReading reading = new SourceReading(open(path("noise"))).toEnd()) {
            assertThat(reading.texts().get(path("noise")).toByteArray()).isEqualTo(noise);
        }
    }

    @Test
    void shouldNameWhatIsNotThere() throws Exception {
        assertThatThrownBy(() -> open(path("nothing.json")))
                .isInstanceOf(SourceException.class)
                .hasMessage(path("nothing.json") + ": no such file or directory");
        assertThatThrownBy(() -> open(directory.toString()))
                .isInstanceOf(SourceException.class)
                .hasMessage("no files: the directory is empty, or nothing matches the pattern: " + directory);
        Path locked = write("locked", "x\n");
        locked.toFile().setReadable(false);
        assumeThat(Files.isReadable(locked))
                .as("whoever runs this may read everything")
                .isFalse();
        assertThatThrownBy(() -> open(directory.toString())).hasMessage(locked + ": permission denied");
    }

    @Test
    void shouldEndOneFileOnlyWhenTheNextIsOpen() throws Exception {
        write("a", "1\n");
        write("b", "2\n");
        SourceSpec.Files spec = new SourceSpec.Files(
                List.of(directory.toString()), false, SourceSpec.Files.Order.SEQUENCE, false, false, RECORD);
        try (RecordSource source = new FileSource(spec, JSON, Duration.ZERO, null, null)) {
            assertThat(new SourceReading(source).toEnd().events())
                    .extracting(event -> event.getClass().getSimpleName() + " "
                            + Path.of(event.partition()).getFileName())
                    .containsExactly("Opened a", "Chunk a", "Opened b", "Ended a", "Chunk b", "Ended b");
        }
    }

    @Test
    void shouldFollowAFileThatGrowsAndNewFiles() throws Exception {
        Path log = write("a.log", "1\n2");
        try (SourceReading reading = new SourceReading(follow())) {
            reading.until(() -> reading.text(log.toString()).equals("1\n"));
            append(log, "2\n3\n");
            reading.until(() -> reading.text(log.toString()).equals("1\n22\n3\n"));
            write("b.log", "new\n");
            reading.until(() -> reading.text(path("b.log")).equals("new\n"));
            assertThat(reading.source().ended()).isFalse();
            assertThat(reading.has(RecordSource.Event.Ended.class)).isFalse();
        }
    }

    @Test
    void shouldSayWhenNothingComes() throws Exception {
        write("a.log", "1\n");
        try (SourceReading reading = new SourceReading(
                new FileSource(files(directory.toString(), true, false), JSON, Duration.ofMillis(50), null, null))) {
            reading.until(() -> reading.has(RecordSource.Event.Idle.class));
            append(directory.resolve("a.log"), "2\n");
            reading.until(() -> reading.of(RecordSource.Event.Idle.class).size() == 2);
            assertThat(reading.text(path("a.log"))).isEqualTo("1\n2\n");
        }
    }

    @Test
    void shouldReadARotatedFileToItsEndAndTheOneInItsPlaceFromItsStart() throws Exception {
        Path log = write("a.log", "1\n");
        SourceSpec.Files spec = files(log.toString(), true, false);
        try (SourceReading reading = new SourceReading(new FileSource(spec, JSON, Duration.ZERO, null, null))) {
            reading.until(() -> reading.text(log.toString()).equals("1\n"));
            append(log, "2\n");
            Files.move(log, directory.resolve("a.log.1"));
            write("a.log", "3\n");
            reading.until(() -> reading.text(log + "#2").equals("3\n") && reading.has(RecordSource.Event.Ended.class));
            assertThat(reading.text(log.toString())).isEqualTo("1\n2\n");
            assertThat(reading.of(RecordSource.Event.Ended.class))
                    .extracting(RecordSource.Event::partition)
                    .containsExactly(log.toString());
        }
    }

    @Test
    void shouldReadATruncatedFileFromItsStart() throws Exception {
        Path log = write("a.log", "1\n2\n3\n");
        try (SourceReading reading = new SourceReading(follow())) {
            reading.until(() -> reading.text(log.toString()).equals("1\n2\n3\n"));
            Files.writeString(log, "4\n");
            reading.until(() -> reading.text(log + "#2").equals("4\n"));
        }
    }

    @Test
    void shouldReadAFileOnThatIsDeletedMeanwhile() throws Exception {
        String text = lines(200_000);
        Path file = write("a.json", text);
        try (SourceReading reading = new SourceReading(open(file.toString()))) {
            reading.until(() -> reading.has(Chunk.class));
            Files.delete(file);
            assertThat(reading.toEnd().text(file.toString())).isEqualTo(text);
        }
    }

    private RecordSource open(String path) throws SourceException {
        return new FileSource(files(path, false, false), JSON, Duration.ZERO, null, null);
    }

    private RecordSource follow() throws SourceException {
        SourceSpec.Files spec = new SourceSpec.Files(
                List.of(directory + "/*.log"), true, SourceSpec.Files.Order.TOGETHER, true, false, RECORD);
        return new FileSource(spec, JSON, Duration.ZERO, null, null);
    }

    private static SourceSpec.Files files(String path, boolean follow, boolean header) {
        return new SourceSpec.Files(List.of(path), follow, SourceSpec.Files.Order.TOGETHER, false, header, RECORD);
    }

    private Path write(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text);
    }

    private String path(String name) {
        return directory.resolve(name).toString();
    }

    private static String lines(int count) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            text.append("{\"number\":").append(i).append(",\"filler\":\"0123456789012345678901234567890\"}\n");
        }
        return text.toString();
    }

    private static byte[] concat(byte[] first, byte[] second) {
        byte[] all = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, all, first.length, second.length);
        return all;
    }
}
