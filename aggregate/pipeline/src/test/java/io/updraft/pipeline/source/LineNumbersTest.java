package io.updraft.pipeline.source;

import static io.updraft.pipeline.TestFiles.append;
import static io.updraft.pipeline.TestFiles.gzip;
import static io.updraft.pipeline.TestFiles.lines;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.base.record.Chunk;
import io.updraft.base.record.SourceEvent;
import io.updraft.pipeline.connector.PartitionPosition;
import io.updraft.pipeline.connector.SourceReading;
import io.updraft.pipeline.connector.SourceSpec;
import io.updraft.timeseries.decode.CsvFormat;
import io.updraft.timeseries.decode.DecodeSpec;
import io.updraft.timeseries.decode.DecodedColumn;
import io.updraft.timeseries.decode.Decoder;
import io.updraft.timeseries.decode.RecordAttribute;
import io.updraft.timeseries.decode.RowHandler;
import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.RecordRow;
import java.io.ByteArrayInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The numbers of lines that chunks of files have, and their records. */
@Tag("one-jdk")
class LineNumbersTest {

    private static final DecodedColumn LINE =
            DecodedColumn.from("line", FieldType.LONG, new RecordAttribute(RecordAttribute.Kind.LINE));
    private static final DecodeSpec CSV = DecodeSpec.csv(
            new CsvFormat(List.of("id", "text"), ',', '"', ""), DecodedColumn.of("id", FieldType.LONG), LINE);
    private static final DecodeSpec JSON = DecodeSpec.json(DecodedColumn.of("n", FieldType.LONG), LINE);
    private static final int MAX_RECORD = ChunkReader.CHUNK;

    @TempDir
    Path directory;

    /** Rows as id and line; records that are rejected as the line before them. */
    private final List<String> rows = new ArrayList<>();

    @ParameterizedTest
    @ValueSource(strings = {"\n", "\r\n", "\r"})
    void shouldNumberEachRecordByItsFirstLine(String lineEnd) throws Exception {
        Random random = new Random(5);
        for (int i = 0; i < 300; i++) {
            List<String> expected = new ArrayList<>();
            byte[] file = file(random, lineEnd, expected);
            rows.clear();
            int atOnce = 1 + random.nextInt(100);
            long restart = read(file, 0, atOnce, random.nextInt(4));
            if (restart < file.length) {
                read(file, restart, atOnce, Integer.MAX_VALUE);
            }
            assertThat(rows).as(new String(file, UTF_8)).isEqualTo(expected);
        }
    }

    /** Writes a header and records, some of them invalid, or empty lines. */
    private static byte[] file(Random random, String lineEnd, List<String> expected) {
        StringBuilder file = new StringBuilder(random.nextBoolean() ? "\ufeff" : "");
        file.append("id,").append(random.nextBoolean() ? "text" : "\"text\"").append(lineEnd);
        long line = 2;
        for (int id = random.nextInt(40); id > 0; id--) {
            String record = id
                    + switch (random.nextInt(7)) {
                        case 0 -> ",\"one" + lineEnd.repeat(1 + random.nextInt(3)) + "two\"";
                        case 1 -> ",\"\"\"" + lineEnd + "\"\",\"";
                        case 2 -> ",a,b";
                        case 3 -> lineEnd.equals("\r") ? ",a" : "," + lineEnd;
                        default -> ",it's";
                    };
            if (!record.endsWith(",a,b")) {
                expected.add(id + "@" + line);
            }
            file.append(record).append(lineEnd);
            // A carriage return in quotes ends no line of a file whose lines end with carriage returns.
            String counted = lineEnd.equals("\r") ? record.replaceAll("(?s)\".*\"", "") : record;
            line += 1
                    + counted.chars()
                            .filter(c -> c == lineEnd.charAt(lineEnd.length() - 1))
                            .count();
        }
        return file.toString().getBytes(UTF_8);
    }

    /** Reads chunks from a position on. Returns the position after some chunks. */
    private long read(byte[] file, long from, int atOnce, int chunks) throws Exception {
        LineFormat format = LineFormat.of(
                DecodeSpec.csv(
                        new CsvFormat(List.of("id", "text"), ',', '"', ""),
                        CSV.columns().toArray(DecodedColumn[]::new)),
                true,
                MAX_RECORD);
        ChunkReader.Input before = new ByteArrayInputStream(file)::read;
        long line = 1 + format.lines(before, from);
        ByteArrayInputStream in = new ByteArrayInputStream(file);
        assertThat(in.skip(from)).isEqualTo(from);
        ChunkReader reader =
                format.reader("file", from, (into, at, most) -> in.read(into, at, Math.min(most, atOnce)), () -> line);
        int left = chunks;
        while (left-- > 0) {
            SourceEvent event = reader.next();
            event = event == null ? reader.last() : event;
            if (event == null) {
                break;
            }
            decode(CSV, (Chunk) event);
        }
        return reader.position();
    }

    private void decode(DecodeSpec spec, Chunk chunk) {
        Decoder.create(spec).decode(chunk, new RowHandler() {
            @Override
            public void row(RecordRow row, long position, long time) {
                rows.add(row.value(0) + "@" + row.value(1));
            }

            @Override
            public void rejected(long position, byte[] bytes, int from, int length, String reason) {
                assertThat(reason).contains("3 columns instead of 2");
            }
        });
    }

    @Test
    void shouldCountTheLinesOfRecordsThatAreTooLong() throws Exception {
        String file = "1,a\n2," + "x".repeat(2 * MAX_RECORD) + "\n3,\"open\n4," + "y".repeat(MAX_RECORD) + "\n5,a\n";
        ByteArrayInputStream in = new ByteArrayInputStream(file.getBytes(UTF_8));
        ChunkReader reader = LineFormat.of(CSV, false, MAX_RECORD).reader("file", 0, in::read, () -> 1);
        List<Long> firsts = new ArrayList<>();
        for (SourceEvent event = reader.next(); event != null; event = reader.next()) {
            firsts.add(event instanceof Chunk chunk ? chunk.firstLine() : -1L);
        }

        assertThat(firsts).containsExactly(1L, -1L, -1L, -1L);
        assertThat(((Chunk) reader.last()).firstLine()).isEqualTo(5);
        assertThat(reader.resumeLine()).isEqualTo(6);
    }

    @Test
    void shouldNotCountUnlessAsked() throws Exception {
        DecodeSpec plain = DecodeSpec.json(DecodedColumn.of("n", FieldType.LONG));
        ByteArrayInputStream in = new ByteArrayInputStream(lines(0, 10).getBytes(UTF_8));
        ChunkReader reader = LineFormat.of(plain, false, MAX_RECORD).reader("file", 0, in::read, () -> {
            throw new AssertionError("counted");
        });
        assertThat(((Chunk) reader.next()).firstLine()).isZero();
    }

    @Test
    void shouldCountTheLinesBeforeThePositionOfAnEarlierRun() throws Exception {
        String text = lines(0, 30_000);
        for (boolean packed : new boolean[] {false, true}) {
            Path file = directory.resolve(packed ? "b.json.gz" : "a.json");
            Files.write(file, packed ? gzip(text) : text.getBytes(UTF_8));
            Path state = directory.resolve(packed ? "packed" : "plain");
            int position = lines(0, 20_000).length();
            try (SourceReading first = new SourceReading(source(file, false, state))) {
                first.until(() -> first.text(file.toString()).length() > position);
                first.source().commit(new PartitionPosition(file.toString(), position, 5));
            }
            try (SourceReading second = new SourceReading(source(file, false, state)).toEnd()) {
                assertThat(second.of(Chunk.class)).isNotEmpty();
                assertThat(second.of(Chunk.class).get(0).from()).isEqualTo(position);
                second.of(Chunk.class).forEach(this::checkRows);
            }
        }
    }

    @Test
    void shouldContinueInACopyAndBeginAgainInTheLogThatWasCut() throws Exception {
        Path log = directory.resolve("app.log");
        Files.writeString(log, lines(0, 3_000));
        try (SourceReading reading = new SourceReading(source(directory, true, null))) {
            reading.until(() -> reading.text(log.toString()).equals(lines(0, 3_000)));
            Path copy = Files.copy(log, directory.resolve("app.log.1"));
            append(copy, lines(3_000, 3_100));
            Files.writeString(log, lines(0, 50));
            reading.until(() -> reading.text(log.toString()).equals(lines(0, 3_100))
                    && reading.text(log + "#2").equals(lines(0, 50)));
            append(log, lines(50, 60));
            reading.until(() -> reading.text(log + "#2").equals(lines(0, 60)));
            reading.of(Chunk.class).forEach(this::checkRows);
        }
    }

    /** Checks that each number is on the line after as many others. */
    private void checkRows(Chunk chunk) {
        rows.clear();
        decode(JSON, chunk);
        for (String row : rows) {
            String[] values = row.split("@");
            assertThat(Long.parseLong(values[1])).as(row).isEqualTo(Long.parseLong(values[0]) + 1);
        }
    }

    private static FileSource source(Path path, boolean follow, Path state) throws Exception {
        SourceSpec.Files spec = new SourceSpec.Files(
                List.of(path.toString()), follow, SourceSpec.Files.Order.TOGETHER, state != null, false, MAX_RECORD);
        return new FileSource(spec, JSON, Duration.ZERO, state, null);
    }
}
