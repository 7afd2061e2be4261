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
        open(MANY);
        turn();
        try (OutputStream writer = Files.newOutputStream(log, StandardOpenOption.APPEND)) {
            pack(log, "app.log.1.gz");
            look();
            writer.write("{\"n\":100}\n".getBytes(StandardCharsets.UTF_8));
            drain();
        }
        assertThat(read).isEqualTo(lines(0, 101));
    }

    @Test
    void shouldReadAFileOnceWhosePackedVersionIsMissingBeforeReadingHasMovedToIt() throws Exception {
        Files.write(log, lines(0, 100));
        open(MANY);
        turn();
        pack(log, "app.log.1.gz");
        look();
        goAway();
        look();
        turn();
        comeBack();
        drain();
        assertThat(read).isEqualTo(lines(0, 100));
    }

    @Test
    void shouldReadAPackedFileOnceThatWasMissingWhenANewLogBeginsWithItsHeader() throws Exception {
        Files.write(log, HEADER);
        append(lines(0, 100));
        open(MANY);
        turn();
        pack(log, "app.log.1.gz");
        look();
        goAway();
        look();
        turn();
        Files.write(log, HEADER);
        comeBack();
        drain();
        assertThat(read.stream().filter(line -> !line.contains("header"))).isEqualTo(lines(0, 100));
    }

    @Test
    void shouldReadAPackedFileOnceThatWasReadOnInWhenANewLogBeginsWithItsHeader() throws Exception {
        Files.write(log, HEADER);
        open(MANY);
        turn();
        append(lines(0, 100));
        pack(log, "app.log.1.gz");
        look();
        drain();
        goAway();
        look();
        Files.write(log, HEADER);
        comeBack();
        drain();
        assertThat(read.stream().filter(line -> !line.contains("header"))).isEqualTo(lines(0, 100));
    }

    @Test
    void shouldReadTheCopyOnceOfAShortLogThatWasCutWhileItWasMissing() throws Exception {
        Files.write(log, lines(0, 10));
        open(MANY);
        turn();
        goAway();
        look();
        append(lines(10, 20));
        copyAndCut("app.log.1", List.of());
        comeBack();
        drain();
        assertThat(read).containsExactlyInAnyOrderElementsOf(lines(0, 20));
    }

    @Test
    void shouldReadTheCopyOnceOfAShortLogThatWasCutAndReadToItsEndWhileItWasMissing() throws Exception {
        Files.write(log, lines(0, 10));
        open(MANY);
        turn();
        goAway();
        look();
        append(lines(10, 20));
        copyAndCut("app.log.1", List.of());
        turn();
        comeBack();
        drain();
        assertThat(read).containsExactlyInAnyOrderElementsOf(lines(0, 20));
    }

    @Test
    void shouldPreferTheCopyOfACutLogToTheLogWithItsHeaderIfBothWereMissing() throws Exception {
        Files.write(log, HEADER);
        append(lines(0, 100));
        open(MANY);
        turn();
        copyAndCut("app.log.1", HEADER);
        goAway();
        look();
        comeBack();
        drain();
        assertThat(read.stream().filter(line -> !line.contains("header"))).isEqualTo(lines(0, 100));
    }

    @Test
    void shouldReadTheCopyOnceOfAShortLogThatWasClosedAndCutWhileItWasMissing() throws Exception {
        Files.write(log, lines(0, 10));
        Files.write(logs.resolve("other.log"), lines(20, 30));
        open(ONE);
        turn();
        goAway();
        look();
        append(lines(10, 20));
        copyAndCut("app.log.1", List.of());
        comeBack();
        drain();
        assertThat(read).containsExactlyInAnyOrderElementsOf(lines(0, 30));
    }

    @Test
    void shouldReadTheCopyOnceOfALogThatWasCutWhilePackedFilesUseAllChannels() throws Exception {
        Files.write(log, lines(0, 10));
        Files.write(directory.resolve("other"), lines(10, 20));
        pack(directory.resolve("other"), "other.log.gz");
        open(ONE);
        turn();
        copyAndCut("app.log.1", List.of());
        drain();
        assertThat(read).containsExactlyInAnyOrderElementsOf(lines(0, 20));
    }

    @Test
    void shouldReadTheCopyOnceThatHasTheNumberOfAnEmptyFile() throws Exception {
        Files.createFile(log);
        Path empty = Files.createFile(logs.resolve("app.0"));
        open(ONE);
        append(lines(0, 10));
        look();
        turn();
        Path copy = Files.move(empty, logs.resolve("app.4"));
        Files.write(copy, Files.readAllBytes(log));
        Files.write(log, List.of());
        drain();
        assertThat(read).isEqualTo(lines(0, 10));
    }

    @Test
    void shouldReadTheCopyOnceThatHasTheNumberOfAnEmptyFileThatWasMissing() throws Exception {
        Files.createFile(log);
        Files.createFile(logs.resolve("app.0"));
        open(ONE);
        append(lines(0, 10));
        look();
        turn();
        goAway();
        look();
        comeBack();
        Path copy = Files.move(logs.resolve("app.0"), logs.resolve("app.4"));
        Files.write(copy, Files.readAllBytes(log));
        Files.write(log, List.of());
        drain();
        assertThat(read).isEqualTo(lines(0, 10));
    }

    @Test
    void shouldNotTakeAnUnfinishedPackedFileForThatOfARemovedLogWithItsHeader() throws Exception {
        List<String> header = List.of("{\"header\":1}");
        Files.write(log, header);
        open(MANY);
        turn();
        Files.delete(log);
        look();
        Files.write(log, header);
        append(lines(0, 500));
        Files.copy(log, directory.resolve("copy"));
        pack(directory.resolve("copy"), "app.log.1.gz");
        Path packed = logs.resolve("app.log.1.gz");
        Files.write(packed, Arrays.copyOf(Files.readAllBytes(packed), 500));
        drain();
        assertThat(read.stream().filter(line -> !line.contains("header"))).isEqualTo(lines(0, 500));
    }

    @Test
    void shouldNotReadAPackedFileAgainThatWasClosedWhenItWentMissing() throws Exception {
        try (PositionFile state = PositionFile.open(directory.resolve("state"))) {
            positions = state;
            Files.write(log, lines(0, 10));
            pack(log, "app.log.1.gz");
            open(ONE);
            turn();
            commit();
            reading.close();
            Files.write(logs.resolve("other.log"), lines(10, 20));
            open(ONE);
            goAway();
            look();
            turn();
            comeBack();
            drain();
            assertThat(read).isEqualTo(lines(0, 20));
        }
    }

    @Test
    void shouldReadANewLogThatHasTheOldNameOfAFileThatWasReadInFull() throws Exception {
        Files.write(log, lines(0, 10));
        open(MANY);
        turn();
        Path copy = Files.copy(log, directory.resolve("copy"));
        Files.delete(log);
        look();
        turn();
        Files.move(copy, log);
        look();
        Files.move(log, logs.resolve("app.log.1"));
        Files.write(log, lines(10, 200));
        drain();
        assertThat(read).isEqualTo(lines(0, 200));
    }

    @Test
    void shouldReadTheCopyOnceThatHasTheNumberOfARemovedFileWithItsHeader() throws Exception {
        try (PositionFile state = PositionFile.open(directory.resolve("state"))) {
            positions = state;
            Path first = Files.write(logs.resolve("app.0"), HEADER);
            Files.write(log, HEADER);
            append(lines(0, 100));
            open(MANY);
            turn();
            commit();
            reading.close();
            Path removed = Files.move(first, directory.resolve("removed"));
            open(MANY);
            turn();
            Files.write(removed, Files.readAllBytes(log));
            Files.move(removed, logs.resolve("app.log.1"));
            Files.write(log, HEADER);
            drain();
            assertThat(read.stream().filter(line -> !line.contains("header"))).isEqualTo(lines(0, 100));
        }
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

    private void goAway() throws IOException {
        move(directory.resolve("away"));
    }

    private void comeBack() throws IOException {
        move(directory.resolve("logs"));
    }

    private void move(Path place) throws IOException {
        Files.move(logs, place);
        logs = place;
        log = logs.resolve("app.log");
    }

    private void look() throws Exception {
        reading.look(SCAN_NANOS);
    }

    private void turn() throws Exception {
        reading.turn();
    }

    private void drain() throws Exception {
        reading.drain();
    }
}
