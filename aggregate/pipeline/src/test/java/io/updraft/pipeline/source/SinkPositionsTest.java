package io.updraft.pipeline.source;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.engine.testing.CapturedWarnings;
import io.updraft.pipeline.connector.PartitionPosition;
import io.updraft.pipeline.connector.ProcessedRanges;
import io.updraft.pipeline.connector.RecordSource;
import io.updraft.pipeline.connector.SourceException;
import io.updraft.pipeline.connector.SourceReading;
import io.updraft.pipeline.connector.SourceSpec;
import io.updraft.timeseries.decode.DecodeSpec;
import io.updraft.timeseries.decode.DecodedColumn;
import io.updraft.timeseries.record.FieldType;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Positions that sinks store, when the state file is lost: they apply to the file that was read, not to its name. */
class SinkPositionsTest {

    private static final DecodeSpec JSON = DecodeSpec.json(DecodedColumn.of("a", FieldType.TEXT));
    private static final int RECORD = 1 << 20;

    @TempDir
    Path directory;

    private final Map<String, PartitionPosition> sink = new HashMap<>();
    private int runs;

    @Test
    void shouldContinueInTheRotatedFileAndReadTheNewOneFromItsStart() throws Exception {
        Path log = write("app.json", lines("old", 3_000));
        read(Map.of(partition(log), lines("old", 3_000)));
        Files.move(log, directory.resolve("app.json.1"));
        Files.writeString(directory.resolve("app.json.1"), lines("old", 3_100));
        write("app.json", lines("new", 5_000));
        try (CapturedWarnings warnings = new CapturedWarnings(StartPositions.class)) {
            read(Map.of(
                    partition(log),
                    lines("old", 3_100).substring(lines("old", 3_000).length()),
                    log + "#2",
                    lines("new", 5_000)));
            assertThat(warnings.lines()).singleElement().asString().startsWith(log + " is not the file that");
        }
        read(Map.of(partition(log), "", log + "#2", ""));
    }

    @Test
    void shouldContinueInThePackedVersionOfARotatedFile() throws Exception {
        Path log = write("app.json", lines("old", 3_000));
        read(Map.of(partition(log), lines("old", 3_000)));
        Files.delete(log);
        pack("app.json.1.gz", lines("old", 3_100));
        read(Map.of(
                partition(log),
                lines("old", 3_100).substring(lines("old", 3_000).length())));
    }

    @Test
    void shouldContinueAPackedFileUnderAnotherName() throws Exception {
        Path packed = pack("a.gz", lines("old", 3_000));
        read(Map.of(partition(packed), lines("old", 3_000)));
        Files.move(packed, directory.resolve("b.gz"));
        pack("a.gz", lines("new", 3_000));
        read(Map.of(partition(packed), "", packed + "#2", lines("new", 3_000)));
    }

    @Test
    void shouldReadARewrittenFileOfTheSameLengthFromItsStart() throws Exception {
        Path log = write("app.json", lines("old", 500) + "{\"last\":1}");
        read(Map.of(partition(log), lines("old", 500) + "{\"last\":1}"));
        String rewritten = lines("old", 500) + "{\"last\":2}";
        write("app.json", rewritten);
        read(Map.of(log + "#2", rewritten));
    }

    @Test
    void shouldDistinguishFilesWithACommonBeginning() throws Exception {
        String header = "#".repeat(2_000) + "\n";
        Path log = write("app.json", header + lines("old", 100));
        read(Map.of(partition(log), header + lines("old", 100)));
        write("app.json", header + lines("new", 100));
        write("other.json", header);
        read(Map.of(log + "#2", header + lines("new", 100), directory + "/other.json", header));
    }

    @Test
    void shouldReadACopyBesideTheOriginalAsAFileOfItsOwn() throws Exception {
        Path log = write("z.json", lines("old", 100));
        read(Map.of(partition(log), lines("old", 100)));
        write("a.json", lines("old", 100));
        read(Map.of(partition(log), "", directory + "/a.json", lines("old", 100)));
    }

    @Test
    void shouldLetTwoHostsReadTheirOwnFilesOneAfterTheOther() throws Exception {
        Path log = write("app.json", lines("a", 1_000));
        read(Map.of(partition(log), lines("a", 1_000)));
        write("app.json", lines("b", 2_000));
        read(Map.of(log + "#2", lines("b", 2_000)));
        write("app.json", lines("a", 1_001));
        read(Map.of(
                partition(log), lines("a", 1_001).substring(lines("a", 1_000).length())));
        write("app.json", lines("b", 2_001));
        read(Map.of(log + "#2", lines("b", 2_001).substring(lines("b", 2_000).length())));
    }

    @Test
    void shouldNotTakeAPositionOfAnotherFileThoughTheStateNamesThePartition() throws Exception {
        Path log = write("app.json", lines("a", 1_000));
        Path state = directory.resolve("state/kept");
        read(state, Map.of(partition(log), lines("a", 1_000)));
        PartitionPosition ofA = sink.get(partition(log));
        sink.put(partition(log), new PartitionPosition(partition(log), 5, 0, ofA.processed(), null, "1:2:5:4:5"));
        read(state, Map.of(log + "#2", lines("a", 1_000)));
    }

    @Test
    void shouldRefuseADamagedFingerprint() throws Exception {
        Path log = write("app.json", "1\n");
        sink.put(partition(log), new PartitionPosition(partition(log), 2, 0, ProcessedRanges.NONE, null, "?"));
        assertThatThrownBy(() -> open(directory.resolve("s")))
                .isInstanceOf(SourceException.class)
                .hasMessage("the position that a sink stores for " + log + " has a damaged fingerprint: ?");
    }

    /** Reads all files without the state of earlier runs, and stores positions as a sink does. */
    private void read(Map<String, String> expected) throws Exception {
        read(directory.resolve("state/" + ++runs), expected);
    }

    private void read(Path state, Map<String, String> expected) throws Exception {
        try (SourceReading reading = new SourceReading(open(state)).toEnd()) {
            Map<String, String> texts = new HashMap<>();
            reading.of(RecordSource.Event.Opened.class)
                    .forEach(opened -> texts.put(opened.partition(), reading.text(opened.partition())));
            assertThat(texts).isEqualTo(expected);
            reading.positions()
                    .forEach((partition, position) ->
                            sink.put(partition, stored(reading.source(), partition, position)));
            reading.positions().keySet().forEach(partition -> reading.source().commit(sink.get(partition)));
        }
    }

    private static PartitionPosition stored(RecordSource source, String partition, long position) {
        String fingerprint = source.fingerprints(partition).apply(position);
        return new PartitionPosition(partition, position, 0, ProcessedRanges.NONE, null, fingerprint);
    }

    private RecordSource open(Path state) throws SourceException {
        SourceSpec.Files spec = new SourceSpec.Files(
                List.of(directory.toString()), false, SourceSpec.Files.Order.TOGETHER, true, false, RECORD);
        return new FileSource(spec, JSON, Duration.ZERO, state, Map.copyOf(sink));
    }

    private static String partition(Path file) {
        return file.toString();
    }

    private Path write(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text);
    }

    private Path pack(String name, String text) throws IOException {
        Path file = directory.resolve(name);
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
            out.write(text.getBytes(UTF_8));
        }
        return file;
    }

    private static String lines(String word, int count) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            text.append("{\"").append(word).append("\":").append(i).append("}\n");
        }
        return text.toString();
    }
}
