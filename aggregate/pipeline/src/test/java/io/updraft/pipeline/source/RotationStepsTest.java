package io.updraft.pipeline.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.pipeline.connector.PartitionPosition;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
        steps("log:0-100 open turn");
        try (OutputStream writer = Files.newOutputStream(log, StandardOpenOption.APPEND)) {
            steps("pack look");
            writer.write("{\"n\":100}\n".getBytes(StandardCharsets.UTF_8));
            steps("drain");
        }
        assertThat(read).isEqualTo(lines(0, 101));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            packed, and missing before it is read | log:0-100 open turn pack look away look turn back drain | 100
            packed, missing, a new log | header more:0-100 open turn pack look away look turn header back drain | 100
            packed, read on in, a new log | header open turn more:0-100 pack look drain away look header back drain | 100
            cut while missing | log:0-10 open turn away look more:10-20 cut back drain | 20
            cut and read to its end while missing | log:0-10 open turn away look more:10-20 cut turn back drain | 20
            cut, copy and log missing | header more:0-100 open turn cut-to-header away look back drain | 100
            closed and cut while missing | log:0-10 other:20-30 open-one turn away look more:10-20 cut back drain | 30
            cut while channels are few | log:0-10 packed:10-20 open-one turn cut drain | 20
            """)
    void shouldReadEachLineOnceThough(String rotation, String steps, int count) throws Exception {
        steps(steps);
        if (steps.contains(" cut ")) {
            assertThat(read).containsExactlyInAnyOrderElementsOf(lines(0, count));
        } else {
            assertThat(withoutHeaders()).isEqualTo(lines(0, count));
        }
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
        steps("log:0-10 open turn");
        Path copy = Files.copy(log, directory.resolve("copy"));
        Files.delete(log);
        steps("look turn");
        Files.move(copy, log);
        steps("look");
        Files.move(log, logs.resolve("app.log.1"));
        steps("log:10-200 drain");
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

    /** Does steps by their names, one after the other; lines are given by their numbers. */
    private void steps(String names) throws Exception {
        for (String name : names.split(" ")) {
            String[] step = name.split("[:-](?=\\d)");
            List<String> lines =
                    step.length == 3 ? lines(Integer.parseInt(step[1]), Integer.parseInt(step[2])) : HEADER;
            switch (step[0]) {
                case "header" -> Files.write(log, HEADER);
                case "log" -> Files.write(log, lines);
                case "more" -> append(lines);
                case "other" -> Files.write(logs.resolve("other.log"), lines);
                case "packed" -> pack(Files.write(directory.resolve("other"), lines), "other.log.gz");
                case "open" -> open(MANY);
                case "open-one" -> open(ONE);
                case "look" -> reading.look(SCAN_NANOS);
                case "turn" -> reading.turn();
                case "drain" -> reading.drain();
                case "commit" -> commit();
                case "close" -> reading.close();
                case "pack" -> pack(log, "app.log.1.gz");
                case "cut" -> copyAndCut("app.log.1", List.of());
                case "cut-to-header" -> copyAndCut("app.log.1", HEADER);
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
        for (TrackedFile file : reading.partitions.values()) {
            PartitionPosition position = new PartitionPosition(file.partition(), file.position(), Long.MIN_VALUE);
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
