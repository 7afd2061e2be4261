package io.updraft.pipeline.source.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.pipeline.connector.UnitPosition;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A followed log that is rotated at a step of reading, while its directory is missing or before. */
class RotationStepsTest {

    private static final int MANY = 64;
    private static final int ONE = 1;
    private static final long SCAN_NANOS = 100_000_000L;
    /** A line of 2000 bytes: files that begin with it have the same fingerprint at its end. */
    private static final List<String> HEADER = List.of("{\"header\":\"" + "x".repeat(2000) + "\"}");

    @TempDir
    Path directory;

    @AutoClose
    private final StepwiseReading reading = new StepwiseReading();

    private final List<String> read = reading.lines;
    private Path logs;
    private Path log;
    private PositionFile positions;

    @BeforeEach
    void prepare() throws IOException {
        logs = Files.createDirectory(directory.resolve("logs"));
        log = logs.resolve("app.log");
    }

    @Test
    void shouldReadTheEndOfARemovedFileThatGrewAfterItWasPacked() throws Exception {
        Files.write(log, lines(0, 100));
        steps("open turn");
        try (OutputStream writer = Files.newOutputStream(log, StandardOpenOption.APPEND)) {
            steps("pack look");
            writer.write("{\"n\":100}\n".getBytes(StandardCharsets.UTF_8));
            steps("drain");
        }
        assertThat(read).isEqualTo(lines(0, 101));
    }

    @Test
    void shouldReadAFileOnceWhosePackedVersionIsMissingBeforeReadingHasMovedToIt() throws Exception {
        Files.write(log, lines(0, 100));
        steps("open turn pack look away look turn back drain");
        assertThat(read).isEqualTo(lines(0, 100));
    }

    @Test
    void shouldReadAPackedFileOnceThatWasMissingWhenANewLogBeginsWithItsHeader() throws Exception {
        Files.write(log, HEADER);
        append(lines(0, 100));
        steps("open turn pack look away look turn");
        Files.write(log, HEADER);
        steps("back drain");
        assertThat(withoutHeaders()).isEqualTo(lines(0, 100));
    }

    @Test
    void shouldReadAPackedFileOnceThatWasReadOnInWhenANewLogBeginsWithItsHeader() throws Exception {
        Files.write(log, HEADER);
        steps("open turn");
        append(lines(0, 100));
        steps("pack look drain away look");
        Files.write(log, HEADER);
        steps("back drain");
        assertThat(withoutHeaders()).isEqualTo(lines(0, 100));
    }

    @Test
    void shouldReadTheCopyOnceOfAShortLogThatWasCutWhileItWasMissing() throws Exception {
        Files.write(log, lines(0, 10));
        steps("open turn away look");
        append(lines(10, 20));
        steps("cut back drain");
        assertThat(read).containsExactlyInAnyOrderElementsOf(lines(0, 20));
    }

    @Test
    void shouldReadTheCopyOnceOfAShortLogThatWasCutAndReadToItsEndWhileItWasMissing() throws Exception {
        Files.write(log, lines(0, 10));
        steps("open turn away look");
        append(lines(10, 20));
        steps("cut turn back drain");
        assertThat(read).containsExactlyInAnyOrderElementsOf(lines(0, 20));
    }

    @Test
    void shouldPreferTheCopyOfACutLogToTheLogWithItsHeaderIfBothWereMissing() throws Exception {
        Files.write(log, HEADER);
        append(lines(0, 100));
        steps("open turn");
        copyAndCut("app.log.1", HEADER);
        steps("away look back drain");
        assertThat(withoutHeaders()).isEqualTo(lines(0, 100));
    }

    @Test
    void shouldReadTheCopyOnceOfAShortLogThatWasClosedAndCutWhileItWasMissing() throws Exception {
        Files.write(log, lines(0, 10));
        Files.write(logs.resolve("other.log"), lines(20, 30));
        steps("open-one turn away look");
        append(lines(10, 20));
        steps("cut back drain");
        assertThat(read).containsExactlyInAnyOrderElementsOf(lines(0, 30));
    }

    @Test
    void shouldReadTheCopyOnceOfALogThatWasCutWhilePackedFilesUseAllChannels() throws Exception {
        Files.write(log, lines(0, 10));
        Files.write(directory.resolve("other"), lines(10, 20));
        pack(directory.resolve("other"), "other.log.gz");
        steps("open-one turn cut drain");
        assertThat(read).containsExactlyInAnyOrderElementsOf(lines(0, 20));
    }

    @Test
    void shouldReadTheCopyOnceThatHasTheNumberOfAnEmptyFile() throws Exception {
        Files.createFile(log);
        Path empty = Files.createFile(logs.resolve("app.0"));
        steps("open-one");
        append(lines(0, 10));
        steps("look turn");
        Path copy = Files.move(empty, logs.resolve("app.4"));
        Files.write(copy, Files.readAllBytes(log));
        Files.write(log, List.of());
        steps("drain");
        assertThat(read).isEqualTo(lines(0, 10));
    }

    @Test
    void shouldReadTheCopyOnceThatHasTheNumberOfAnEmptyFileThatWasMissing() throws Exception {
        Files.createFile(log);
        Files.createFile(logs.resolve("app.0"));
        steps("open-one");
        append(lines(0, 10));
        steps("look turn away look back");
        Path copy = Files.move(logs.resolve("app.0"), logs.resolve("app.4"));
        Files.write(copy, Files.readAllBytes(log));
        Files.write(log, List.of());
        steps("drain");
        assertThat(read).isEqualTo(lines(0, 10));
    }

    @Test
    void shouldNotTakeAnUnfinishedPackedFileForThatOfARemovedLogWithItsHeader() throws Exception {
        List<String> header = List.of("{\"header\":1}");
        Files.write(log, header);
        steps("open turn");
        Files.delete(log);
        steps("look");
        Files.write(log, header);
        append(lines(0, 500));
        Files.copy(log, directory.resolve("copy"));
        pack(directory.resolve("copy"), "app.log.1.gz");
        Path packed = logs.resolve("app.log.1.gz");
        Files.write(packed, Arrays.copyOf(Files.readAllBytes(packed), 500));
        steps("drain");
        assertThat(withoutHeaders()).isEqualTo(lines(0, 500));
    }

    @Test
    void shouldNotReadAPackedFileAgainThatWasClosedWhenItWentMissing() throws Exception {
        try (PositionFile state = PositionFile.open(directory.resolve("state"))) {
            positions = state;
            Files.write(log, lines(0, 10));
            steps("pack open-one turn commit close");
            Files.write(logs.resolve("other.log"), lines(10, 20));
            steps("open-one away look turn back drain");
            assertThat(read).isEqualTo(lines(0, 20));
        }
    }

    @Test
    void shouldReadANewLogThatHasTheOldNameOfAFileThatWasReadInFull() throws Exception {
        Files.write(log, lines(0, 10));
        steps("open turn");
        Path copy = Files.copy(log, directory.resolve("copy"));
        Files.delete(log);
        steps("look turn");
        Files.move(copy, log);
        steps("look");
        Files.move(log, logs.resolve("app.log.1"));
        Files.write(log, lines(10, 200));
        steps("drain");
        assertThat(read).isEqualTo(lines(0, 200));
    }

    @Test
    void shouldReadTheCopyOnceThatHasTheNumberOfARemovedFileWithItsHeader() throws Exception {
        try (PositionFile state = PositionFile.open(directory.resolve("state"))) {
            positions = state;
            Path first = Files.write(logs.resolve("app.0"), HEADER);
            Files.write(log, HEADER);
            append(lines(0, 100));
            steps("open turn commit close");
            Path removed = Files.move(first, directory.resolve("removed"));
            steps("open turn");
            Files.write(removed, Files.readAllBytes(log));
            Files.move(removed, logs.resolve("app.log.1"));
            Files.write(log, HEADER);
            steps("drain");
            assertThat(withoutHeaders()).isEqualTo(lines(0, 100));
        }
    }

    /** Does steps by their names, one after the other. */
    private void steps(String names) throws Exception {
        for (String name : names.split(" ")) {
            switch (name) {
                case "open" -> open(MANY);
                case "open-one" -> open(ONE);
                case "look" -> reading.look(SCAN_NANOS);
                case "turn" -> reading.turn();
                case "drain" -> reading.drain();
                case "commit" -> commit();
                case "close" -> reading.close();
                case "pack" -> pack(log, "app.log.1.gz");
                case "cut" -> copyAndCut("app.log.1", List.of());
                case "away" -> move(directory.resolve("away"));
                case "back" -> move(directory.resolve("logs"));
                default -> throw new IllegalArgumentException(name);
            }
        }
    }

    private Stream<String> withoutHeaders() {
        return read.stream().filter(line -> !line.contains("header"));
    }

    private void commit() {
        for (TrackedFile file : reading.units.values()) {
            UnitPosition position = new UnitPosition(file.unit(), file.position(), Long.MIN_VALUE);
            ContentFingerprint mark = file.marks.committed(file.position());
            positions.put(new PositionFile.Entry(position, file.identity(), mark));
        }
    }

    private void open(int limit) throws Exception {
        reading.open(logs, limit, Duration.ZERO, positions);
    }

    private static List<String> lines(int from, int to) {
        return IntStream.range(from, to).mapToObj(i -> "{\"n\":" + i + "}").toList();
    }

    private void append(List<String> lines) throws IOException {
        Files.write(log, lines, StandardOpenOption.APPEND);
    }

    private void pack(Path file, String name) throws IOException {
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(logs.resolve(name)))) {
            Files.copy(file, out);
        }
        Files.delete(file);
    }

    private void copyAndCut(String name, List<String> begin) throws IOException {
        Files.copy(log, logs.resolve(name));
        Files.write(log, begin);
    }

    private void move(Path place) throws IOException {
        Files.move(logs, place);
        logs = place;
        log = logs.resolve("app.log");
    }
}
