package io.updraft.pipeline.source;

import static io.updraft.pipeline.TestFiles.append;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which positions a source of files begins at after an earlier run. */
class FileSourceResumeTest {

    private static final DecodeSpec JSON = DecodeSpec.json(DecodedColumn.of("a", FieldType.TEXT));
    private static final int RECORD = 1 << 20;

    @TempDir
    Path directory;

    @Test
    void shouldGoOnAfterWhatWasCommitted() throws Exception {
        Path log = write("a.log", "1\n2\n3\n");
        Path state = directory.resolve("deep/state");
        try (SourceReading reading = new SourceReading(follow(state))) {
            reading.until(() -> reading.text(log.toString()).equals("1\n2\n3\n"));
            reading.source().commit(new PartitionPosition(log.toString(), 4, 77));
        }
        Files.move(log, directory.resolve("renamed.log"));
        append(directory.resolve("renamed.log"), "4\n");
        try (SourceReading reading = new SourceReading(follow(state))) {
            reading.until(() -> reading.text(log.toString()).equals("3\n4\n"));
            assertThat(reading.events().get(0))
                    .isEqualTo(new RecordSource.Event.Opened(new PartitionPosition(log.toString(), 4, 77)));
        }
    }

    /** Older versions did not keep which rows were seen. */
    @Test
    void shouldKeepWhichRowsWereSeenAndReadWhatOlderVersionsHaveKept() throws Exception {
        Path log = write("a.log", "1\n2\n3\n");
        Path state = directory.resolve("deep/state");
        PartitionPosition seen = new PartitionPosition(
                log.toString(), 2, 77, ProcessedRanges.NONE.handled(4, 6).closedUntil(77));
        try (RecordSource source = follow(state)) {
            new SourceReading(source).until(() -> true);
            source.commit(seen);
        }
        try (SourceReading reading = new SourceReading(follow(state))) {
            reading.until(() -> reading.text(log.toString()).equals("2\n3\n"));
            assertThat(reading.events()).contains(new RecordSource.Event.Opened(seen));
        }
        Files.writeString(state, Files.readString(state).replaceAll("/4-6:77\t", "\t"));
        try (SourceReading reading = new SourceReading(follow(state))) {
            reading.until(() -> reading.text(log.toString()).equals("2\n3\n"));
            assertThat(reading.events())
                    .contains(new RecordSource.Event.Opened(new PartitionPosition(log.toString(), 2, 77)));
        }
    }

    @Test
    void shouldNoticeThatAFileIsAnotherOneThanBefore() throws Exception {
        Path log = write("a.log", "1\n2\n3\n");
        Path state = directory.resolve("deep/state");
        try (RecordSource source = follow(state)) {
            new SourceReading(source).until(() -> true);
            source.commit(new PartitionPosition(log.toString(), 4, 77));
        }
        Files.writeString(log, "9\n8\n7\n6\n");
        try (SourceReading reading = new SourceReading(follow(state))) {
            reading.until(() -> reading.text(log + "#2").equals("9\n8\n7\n6\n"));
        }
    }

    @Test
    void shouldBeginAnewAfterARunThatReadEverything() throws Exception {
        Path file = write("a.json", "1\n2\n");
        Path state = directory.resolve("deep/state");
        SourceSpec.Files spec = new SourceSpec.Files(
                List.of(file.toString()), false, SourceSpec.Files.Order.TOGETHER, true, false, RECORD);
        for (int run = 0; run < 2; run++) {
            try (RecordSource source = new FileSource(spec, JSON, Duration.ZERO, state, null)) {
                assertThat(new SourceReading(source).toEnd().text(file.toString()))
                        .isEqualTo("1\n2\n");
                source.commit(new PartitionPosition(file.toString(), 4, 0));
            }
        }
    }

    @Test
    void shouldBelieveSinksMoreThanTheStateOfWhatWasWritten() throws Exception {
        Path log = write("a.log", "1\n2\n3\n4\n");
        Path state = directory.resolve("deep/state");
        try (RecordSource source = follow(state, Map.of())) {
            new SourceReading(source).until(() -> true);
            source.commit(new PartitionPosition(log.toString(), 2, 5));
        }
        Path moved = Files.move(log, directory.resolve("b.log"));
        write("a.log", "9\n8\n7\n6\n5\n");
        try (SourceReading reading = new SourceReading(
                follow(state, Map.of(log.toString(), new PartitionPosition(log.toString(), 6, 77))))) {
            reading.until(() -> reading.text(log.toString()).equals("4\n")
                    && reading.text(log + "#2").equals("9\n8\n7\n6\n5\n"));
            assertThat(reading.events())
                    .contains(new RecordSource.Event.Opened(new PartitionPosition(log.toString(), 6, 77)));
            assertThat(moved).exists();
        }
    }

    @Test
    void shouldBelieveASinkWhenTheStateIsLostUnlessTheFileIsTooShort() throws Exception {
        Path log = write("a.log", "1\n2\n3\n");
        Map<String, PartitionPosition> kept = Map.of(log.toString(), new PartitionPosition(log.toString(), 4, 77));
        try (SourceReading reading = new SourceReading(follow(directory.resolve("first"), kept))) {
            reading.until(() -> reading.text(log.toString()).equals("3\n"));
        }
        Files.writeString(log, "9\n");
        try (SourceReading reading = new SourceReading(follow(directory.resolve("second"), kept))) {
            reading.until(() -> reading.text(log + "#2").equals("9\n"));
        }
    }

    @Test
    void shouldReadOnlyWhatIsNewAfterARunThatReadEverythingIntoASinkThatKeepsPositions() throws Exception {
        Path file = write("a.json", "1\n2\n");
        String partition = file.toString();
        Path state = directory.resolve("deep/state");
        SourceSpec.Files spec =
                new SourceSpec.Files(List.of(partition), false, SourceSpec.Files.Order.TOGETHER, true, false, RECORD);
        try (RecordSource source = new FileSource(spec, JSON, Duration.ZERO, state, Map.of())) {
            new SourceReading(source).toEnd();
            source.commit(new PartitionPosition(partition, 4, Long.MAX_VALUE));
        }
        append(file, "3\n");
        Map<String, PartitionPosition> kept = Map.of(partition, new PartitionPosition(partition, 4, Long.MAX_VALUE));
        try (SourceReading reading =
                new SourceReading(new FileSource(spec, JSON, Duration.ZERO, state, kept)).toEnd()) {
            assertThat(reading.text(partition)).isEqualTo("3\n");
            assertThat(reading.events())
                    .contains(new RecordSource.Event.Opened(new PartitionPosition(partition, 4, Long.MIN_VALUE)));
        }
    }

    @Test
    void shouldKeepAPipelineFromRunningTwice() throws Exception {
        write("a.log", "1\n");
        Path state = directory.resolve("deep/state");
        try (RecordSource source = follow(state)) {
            assertThat(source.ended()).isFalse();
            assertThatThrownBy(() -> follow(state))
                    .isInstanceOf(SourceException.class)
                    .hasMessageContaining("this pipeline is already running");
        }
        Files.writeString(state, "what is this\n");
        assertThatThrownBy(() -> follow(state)).hasMessageContaining(state + ":1: this is not a state file");
    }

    @Test
    void shouldReadOnWhenTheStateCannotBeWritten() throws Exception {
        Path log = write("a.log", "1\n");
        Path state = directory.resolve("deep/state");
        Files.createDirectories(directory.resolve("deep/state.new/in-the-way"));
        try (SourceReading reading = new SourceReading(follow(state))) {
            reading.until(() -> reading.text(log.toString()).equals("1\n"));
            reading.source().commit(new PartitionPosition(log.toString(), 2, 0));
            append(log, "2\n");
            reading.until(() -> reading.text(log.toString()).equals("1\n2\n"));
        }
        assertThat(state).doesNotExist();
    }

    private RecordSource follow(Path state) throws SourceException {
        return follow(state, null);
    }

    private RecordSource follow(Path state, Map<String, PartitionPosition> kept) throws SourceException {
        SourceSpec.Files spec = new SourceSpec.Files(
                List.of(directory + "/*.log"), true, SourceSpec.Files.Order.TOGETHER, true, false, RECORD);
        return new FileSource(spec, JSON, Duration.ZERO, state, kept);
    }

    private Path write(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text);
    }
}
