package io.updraft.pipeline.source;

import static io.updraft.pipeline.TestFiles.gzip;
import static io.updraft.pipeline.TestFiles.randomLines;
import static java.nio.charset.StandardCharsets.UTF_8;
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
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that are followed, and are packed, short, or still being written. */
class FollowPackedTest {

    private static final DecodeSpec JSON = DecodeSpec.json(DecodedColumn.of("n", FieldType.LONG));

    @TempDir
    Path directory;

    @Test
    void shouldReadANewFileThatHasTheNumberOfOneThatWasReadToItsEnd() throws Exception {
        Path file = Files.write(directory.resolve("a.gz"), gzip("1\n"));
        try (SourceReading reading = new SourceReading(follow(null))) {
            reading.until(() -> reading.of(RecordSource.Event.Ended.class).size() == 1);
            // What another file with its number looks like, wherever numbers are given again.
            Files.write(file, gzip("2\n"));
            reading.until(() -> reading.text(file + "#2").equals("2\n"));
            Files.delete(file);
            Files.write(directory.resolve("b.gz"), gzip("3\n"));
            reading.until(
                    () -> reading.text(directory.resolve("b.gz").toString()).equals("3\n"));
            reading.until(() -> reading.of(RecordSource.Event.Ended.class).size() == 3);
            assertThat(reading.text(file.toString())).isEqualTo("1\n");
        }
    }

    @Test
    void shouldReadPackedFilesOnThatAreStillBeingWritten() throws Exception {
        String text = randomLines(9_000);
        for (byte[] packed : List.of(gzip(text), Zstd.compress(text.getBytes(UTF_8)))) {
            Path file = directory.resolve("packed-" + packed.length);
            Files.write(file, new byte[0]);
            try (SourceReading reading = new SourceReading(follow(null))) {
                reading.until(() -> reading.has(RecordSource.Event.Opened.class));
                Random random = new Random(1);
                int cut = 1;
                append(file, packed, 0, cut);
                while (cut < packed.length) {
                    int from = cut;
                    cut = Math.min(packed.length, cut + 1 + random.nextInt(packed.length / 8));
                    append(file, packed, from, cut);
                    if (cut > packed.length / 4 * 3 && reading.texts().isEmpty()) {
                        reading.until(() -> !reading.texts().isEmpty());
                    }
                }
                reading.until(() -> reading.has(RecordSource.Event.Ended.class));
                assertThat(reading.text(file.toString())).isEqualTo(text);
                assertThat(reading.of(RecordSource.Event.Rejected.class)).isEmpty();
            }
            Files.delete(file);
        }
    }

    @Tag("slow")
    @Test
    void shouldEndAPackedFileThatIsGoneBeforeItIsWholeAndGoOnWithOthers() throws Exception {
        byte[] packed = gzip(randomLines(9_000));
        Path file = Files.write(directory.resolve("a.gz"), Arrays.copyOf(packed, packed.length / 2));
        try (SourceReading reading = new SourceReading(follow(null))) {
            reading.until(() -> !reading.texts().isEmpty());
            Files.delete(file);
            reading.until(() -> reading.has(RecordSource.Event.Ended.class));
            Files.writeString(directory.resolve("b.log"), "1\n");
            reading.until(
                    () -> reading.text(directory.resolve("b.log").toString()).equals("1\n"));
            assertThat(randomLines(9_000)).startsWith(reading.text(file.toString()));
        }
    }

    @Test
    void shouldReadAPackedFileFromItsStartThatIsWrittenAnewBeforeItIsWhole() throws Exception {
        byte[] packed = gzip(randomLines(9_000));
        Path file = Files.write(directory.resolve("a.gz"), Arrays.copyOf(packed, packed.length / 2));
        try (SourceReading reading = new SourceReading(follow(null))) {
            reading.until(() -> !reading.texts().isEmpty());
            Files.write(file, gzip("1\n"));
            reading.until(() -> reading.text(file + "#2").equals("1\n"));
        }
    }

    @Test
    void shouldReadAPackedFileThatIsRemovedBeforeItsFirstRecords() throws Exception {
        byte[] packed = gzip(randomLines(9_000));
        Path file = Files.write(directory.resolve("a.gz"), Arrays.copyOf(packed, 12));
        try (SourceReading reading = new SourceReading(follow(null))) {
            reading.until(() -> reading.has(RecordSource.Event.Opened.class));
            try (FileChannel writer = FileChannel.open(file, StandardOpenOption.WRITE)) {
                Files.delete(file);
                writer.write(ByteBuffer.wrap(packed), 0);
            }
            reading.until(() -> reading.text(file.toString()).equals(randomLines(9_000)));
        }
    }

    @Test
    void shouldForgetFilesThatAreDoneWith() throws Exception {
        Path state = directory.resolve("state/positions");
        try (SourceReading reading = new SourceReading(follow(state))) {
            for (int i = 0; i < 5; i++) {
                Files.write(directory.resolve(i + ".gz"), gzip(i + "\n"));
            }
            reading.until(() -> reading.of(RecordSource.Event.Ended.class).size() == 5);
            assertThat(((FileSource) reading.source()).partitions()).isEqualTo(5);
            long read = reading.source().progress().done();
            for (int i = 0; i < 5; i++) {
                reading.source().commit(commit(i));
            }
            assertThat(((FileSource) reading.source()).partitions()).isZero();
            assertThat(reading.source().progress().done())
                    .as("bytes that were read")
                    .isEqualTo(read);
            Files.delete(directory.resolve("3.gz"));
            Files.delete(directory.resolve("4.gz"));
            // Looked at in order: when this one is found, those that are gone were missed.
            Files.write(directory.resolve("5.gz"), gzip("5\n"));
            reading.until(() -> reading.of(RecordSource.Event.Ended.class).size() == 6);
            reading.source().commit(commit(5));
        }
        assertThat(Files.readAllLines(state))
                .as("neither those that are still there nor those that may come back are read again")
                .hasSize(1 + 6);
        try (SourceReading reading = new SourceReading(follow(state))) {
            reading.until(() -> reading.of(RecordSource.Event.Ended.class).size() == 4);
            assertThat(reading.texts()).isEmpty();
        }
    }

    @Test
    @Tag("long")
    void shouldForgetTheOldestOfManyFilesThatAreGone() throws Exception {
        Path state = directory.resolve("state/positions");
        int count = 70;
        try (SourceReading reading = new SourceReading(follow(state))) {
            for (int i = 0; i < count; i++) {
                Files.write(directory.resolve(i + ".gz"), gzip(i + "\n"));
                int ended = i + 1;
                if (i % 10 == 9) {
                    reading.until(
                            () -> reading.of(RecordSource.Event.Ended.class).size() == ended);
                    deleteCommitted(reading.source(), i - 9, i);
                    Files.write(directory.resolve("see" + i), "1\n".getBytes(UTF_8));
                    reading.until(() -> !reading.text(
                                    directory.resolve("see" + (ended - 1)).toString())
                            .isEmpty());
                }
            }
        }
        assertThat(Files.readAllLines(state).stream().filter(line -> line.endsWith(".gz")))
                .hasSize(64)
                .noneMatch(line -> line.endsWith("/0.gz"))
                .anyMatch(line -> line.endsWith("/69.gz"));
    }

    private void deleteCommitted(RecordSource source, int first, int last) throws IOException {
        for (int i = first; i <= last; i++) {
            PartitionPosition end = new PartitionPosition(
                    directory.resolve(i + ".gz").toString(), Integer.toString(i).length() + 1L, Long.MIN_VALUE);
            source.commit(end);
            Files.delete(directory.resolve(i + ".gz"));
        }
    }

    private PartitionPosition commit(int file) {
        return new PartitionPosition(directory.resolve(file + ".gz").toString(), 2, Long.MIN_VALUE);
    }

    @Test
    void shouldKnowAFileByItsFirstBytesThatWasEmptyWhenItWasFound() throws Exception {
        Path file = Files.writeString(directory.resolve("a.log"), "");
        Path state = directory.resolve("state/positions");
        try (SourceReading reading = new SourceReading(follow(state))) {
            reading.until(() -> reading.has(RecordSource.Event.Opened.class));
            Files.writeString(file, "1\n");
            reading.until(() -> reading.text(file.toString()).equals("1\n"));
            Files.writeString(file, "2\n", StandardOpenOption.APPEND);
            reading.until(() -> reading.text(file.toString()).equals("1\n2\n"));
            reading.source().commit(new PartitionPosition(file.toString(), 4, Long.MIN_VALUE));
        }
        Files.writeString(file, "3\n4\n5\n");
        try (SourceReading reading = new SourceReading(follow(state))) {
            reading.until(() -> reading.text(file + "#2").equals("3\n4\n5\n"));
        }
    }

    @Test
    void shouldReadAFileThatEndsBeforeItIsKnownHowItIsPacked() throws Exception {
        Path file = Files.write(directory.resolve("a.log"), new byte[] {0x28});
        try (SourceReading reading =
                new SourceReading(new FileSource(spec(false), JSON, Duration.ZERO, null, null)).toEnd()) {
            assertThat(reading.text(file.toString())).isEqualTo("(");
        }
        Files.write(file, new byte[] {0x1f, (byte) 0x8b, 8});
        try (RecordSource source = new FileSource(spec(false), JSON, Duration.ZERO, null, null)) {
            assertThatThrownBy(() -> new SourceReading(source).toEnd())
                    .isInstanceOf(SourceException.class)
                    .hasMessageContaining("is truncated after byte 0 ");
        }
        assertThat(InputHead.of(file)).isEmpty();
    }

    private FileSource follow(Path state) throws SourceException {
        return new FileSource(spec(true), JSON, Duration.ZERO, state, null);
    }

    private SourceSpec.Files spec(boolean follow) {
        return new SourceSpec.Files(
                List.of(directory.toString()), follow, SourceSpec.Files.Order.TOGETHER, follow, false, 1 << 20);
    }

    private static void append(Path file, byte[] bytes, int from, int to) throws IOException {
        Files.write(file, Arrays.copyOfRange(bytes, from, to), StandardOpenOption.APPEND);
    }
}
