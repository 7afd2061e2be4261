package io.updraft.pipeline.source;

import static io.updraft.pipeline.TestFiles.randomLines;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.ZstdCompressCtx;
import io.updraft.engine.testing.CapturedWarnings;
import io.updraft.pipeline.connector.PartitionPosition;
import io.updraft.pipeline.connector.RecordSource;
import io.updraft.pipeline.connector.SourceException;
import io.updraft.pipeline.connector.SourceReading;
import io.updraft.pipeline.connector.SourceSpec;
import io.updraft.timeseries.decode.DecodeSpec;
import io.updraft.timeseries.decode.DecodedColumn;
import io.updraft.timeseries.record.FieldType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Packed files whose data is damaged. */
@Tag("one-jdk")
class DamagedFilesTest {

    private static final DecodeSpec JSON = DecodeSpec.json(DecodedColumn.of("n", FieldType.LONG));
    private static final String TEXT = randomLines(30_000);

    enum Damage {
        GZIP_IN_THE_MIDDLE,
        GZIP_CHECK_SUM,
        GZIP_HEADER,
        ZSTD_IN_THE_MIDDLE,
        ZSTD_TRAILING
    }

    @TempDir
    Path directory;

    private Path logs;
    private Path file;

    @BeforeEach
    void prepare() throws IOException {
        logs = Files.createDirectory(directory.resolve("logs"));
        file = logs.resolve("a");
    }

    @ParameterizedTest
    @EnumSource
    void shouldReadWhatPrecedesTheDamageOnceAndGoOnWithOthers(Damage damage) throws Exception {
        Files.write(file, damaged(damage));
        Path other = Files.writeString(logs.resolve("b"), "1\n");
        try (CapturedWarnings log = new CapturedWarnings(FileReadLoop.class);
                RecordSource source = open(true)) {
            SourceReading reading = new SourceReading(source);
            reading.until(() -> reading.has(RecordSource.Event.Ended.class)
                    && reading.text(other.toString()).equals("1\n"));
            String read = reading.text(file.toString());
            // Damage shows some bytes after it began.
            assertThat(read).startsWith(TEXT.substring(0, read.length() / 3));
            assertThat(read)
                    .satisfiesAnyOf(
                            text -> assertThat(text).isEmpty(),
                            text -> assertThat(text).endsWith("\n"));
            assertThat(read.isEmpty()).isEqualTo(damage == Damage.GZIP_HEADER);
            assertThat(log.lines())
                    .singleElement()
                    .asString()
                    .startsWith(
                            file + ": the packed data is damaged after byte " + read.length() + " of its content (");
            source.commit(new PartitionPosition(file.toString(), read.length(), Long.MIN_VALUE));
        }
        try (SourceReading reading = new SourceReading(open(true))) {
            reading.until(() -> reading.has(RecordSource.Event.Ended.class));
            assertThat(reading.text(file.toString())).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldReadTheFileThatReplacesADamagedOne(Damage damage) throws Exception {
        Files.write(file, damaged(damage));
        try (SourceReading reading = new SourceReading(open(true))) {
            reading.until(() -> reading.has(RecordSource.Event.Ended.class));
            Files.write(file, damage.name().startsWith("G") ? gzip() : zstd());
            reading.until(() -> reading.text(file + "#2").equals(TEXT));
            Files.delete(file);
            Files.writeString(file, "1\n");
            reading.until(() -> reading.text(file + "#3").equals("1\n"));
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldEndARunWithAnEndAtTheDamage(Damage damage) throws Exception {
        Files.write(file, damaged(damage));
        try (RecordSource source = open(false)) {
            assertThatThrownBy(() -> new SourceReading(source).toEnd())
                    .isInstanceOf(SourceException.class)
                    .hasMessageContaining(file + ": reading failed after byte ");
        }
    }

    private static byte[] damaged(Damage damage) throws IOException {
        byte[] packed = damage.name().startsWith("G") ? gzip() : zstd();
        switch (damage) {
            case GZIP_IN_THE_MIDDLE, ZSTD_IN_THE_MIDDLE -> scramble(packed);
            case GZIP_CHECK_SUM -> packed[packed.length - 6] ^= 1;
            case GZIP_HEADER -> packed[2] = 9;
            default -> {
                byte[] longer = Arrays.copyOf(packed, packed.length + 4);
                longer[packed.length] = 'x';
                return longer;
            }
        }
        return packed;
    }

    private static void scramble(byte[] packed) {
        byte[] noise = new byte[2_000];
        new Random(3).nextBytes(noise);
        System.arraycopy(noise, 0, packed, packed.length / 2, noise.length);
    }

    private RecordSource open(boolean follow) throws SourceException {
        SourceSpec.Files spec = new SourceSpec.Files(
                List.of(logs.toString()), follow, SourceSpec.Files.Order.TOGETHER, follow, false, 1 << 20);
        return new FileSource(spec, JSON, Duration.ZERO, follow ? directory.resolve("state") : null, null);
    }

    private static byte[] zstd() {
        try (ZstdCompressCtx context = new ZstdCompressCtx().setChecksum(true)) {
            return context.compress(TEXT.getBytes(UTF_8));
        }
    }

    private static byte[] gzip() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(TEXT.getBytes(UTF_8));
        }
        return out.toByteArray();
    }
}
