package io.updraft.pipeline.source;

import static io.updraft.pipeline.TestFiles.gzip;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ten followed files, of which two may be open at once. */
class ChannelLimitTest {

    private static final int FILES = 10;
    private static final int LIMIT = 2;

    @TempDir
    Path directory;

    @AutoClose
    private final StepwiseReading reading = new StepwiseReading();

    private final List<String> read = reading.lines;
    private final List<String> idle = reading.idle;
    private final Map<String, TrackedFile> partitions = reading.partitions;
    private final List<String> written = new ArrayList<>();

    @BeforeEach
    void follow() throws Exception {
        for (int i = 0; i < FILES; i++) {
            append(i, 20);
        }
        open(Duration.ZERO);
    }

    private void open(Duration idleAfter) throws Exception {
        reading.open(directory, LIMIT, idleAfter, null);
    }

    @Test
    void shouldReadEachLineOnceWithFewOpenFiles() throws Exception {
        drain();
        assertThat(read).hasSameElementsAs(written).doesNotHaveDuplicates();
    }

    @Test
    void shouldReadLinesThatAreAppendedInAnyOrder() throws Exception {
        Random random = new Random(7);
        for (int round = 0; round < 30; round++) {
            append(random.nextInt(FILES), 1 + random.nextInt(30));
            if (random.nextBoolean()) {
                look();
            }
            turn();
        }
        drain();
        assertThat(read).hasSameElementsAs(written).doesNotHaveDuplicates();
    }

    @Test
    void shouldContinueALineWhoseBeginningWasReadBeforeItsFileWasClosed() throws Exception {
        String line = line(5, written.size());
        Files.writeString(path(5), line.substring(0, 4), StandardOpenOption.APPEND);
        drain();
        assertThat(partitions.get(partition(5)).isSuspended()).isTrue();
        Files.writeString(path(5), line.substring(4) + "\n", StandardOpenOption.APPEND);
        written.add(line);
        drain();
        assertThat(read).hasSameElementsAs(written).doesNotHaveDuplicates();
    }

    @Test
    void shouldFindAClosedFileUnderItsNewName() throws Exception {
        drain();
        for (int i = 0; i < FILES; i++) {
            Files.move(path(i), directory.resolve("renamed" + i + ".log"));
            append(i, 3);
        }
        appendTo(directory.resolve("renamed4.log"), 4, 5);
        drain();
        assertThat(read).hasSameElementsAs(written).doesNotHaveDuplicates();
    }

    @Test
    void shouldReadTheCopiesOfClosedFilesThatAreCutAtOnce() throws Exception {
        drain();
        for (int i = 0; i < FILES; i++) {
            append(i, 60);
            Files.copy(path(i), directory.resolve("copy" + i + ".log"));
            Files.write(path(i), new byte[0]);
            append(i, 2);
        }
        drain();
        assertThat(read).hasSameElementsAs(written).doesNotHaveDuplicates();
    }

    @Test
    void shouldContinueInThePackedVersionsOfClosedFiles() throws Exception {
        drain();
        for (int i = 0; i < FILES; i++) {
            append(i, 60);
            byte[] packed = gzip(Files.readAllBytes(path(i)));
            Files.write(directory.resolve(i + ".log.gz"), packed);
            Files.delete(path(i));
        }
        drain();
        assertThat(read).hasSameElementsAs(written).doesNotHaveDuplicates();
    }

    @Test
    void shouldContinuePackedFilesThatAreStillWritten() throws Exception {
        drain();
        List<byte[]> packed = new ArrayList<>();
        for (int i = 0; i < FILES; i++) {
            List<String> lines = newLines(i + FILES, 200);
            packed.add(gzip((String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8)));
            Files.write(directory.resolve("p" + i + ".gz"), Arrays.copyOf(packed.get(i), 150 + i));
        }
        drain();
        for (int i = 0; i < FILES; i++) {
            Files.write(directory.resolve("p" + i + ".gz"), packed.get(i));
        }
        drain();
        assertThat(read).hasSameElementsAs(written).doesNotHaveDuplicates();
    }

    @Test
    void shouldReadARewrittenFileFromItsStart() throws Exception {
        drain();
        Files.delete(path(2));
        Files.write(path(3), new byte[0]);
        append(3, 25);
        drain();
        assertThat(read).hasSameElementsAs(written).doesNotHaveDuplicates();
        assertThat(partitions.get(partition(2)).end()).isPositive();
    }

    @Test
    void shouldNoticeARewriteThatKeepsTheSize() throws Exception {
        drain();
        Files.setLastModifiedTime(path(0), FileTime.fromMillis(1_000_000));
        look();
        String other = Files.readString(path(0)).replace("\"of\":0", "\"of\":9");
        Files.writeString(path(0), other);
        other.lines().forEach(written::add);
        drain();
        assertThat(read).containsAll(written);
    }

    @Test
    void shouldReportClosedFilesAsIdle() throws Exception {
        reading.close();
        partitions.clear();
        open(Duration.ofSeconds(5));
        drain();
        assertThat(idle).hasSize(FILES).doesNotHaveDuplicates();
    }

    @Test
    void shouldNotOpenMoreFilesThanTheLimit() throws Exception {
        for (int round = 0; round < 10; round++) {
            append(round, 5);
            look();
            assertThat(open()).isLessThanOrEqualTo(LIMIT);
            turn();
            assertThat(open()).isLessThanOrEqualTo(LIMIT);
        }
    }

    @Test
    void shouldWaitForClosedFilesThatCannotBeOpened() throws Exception {
        Path away = Files.move(directory, directory.resolveSibling(directory.getFileName() + "-away"));
        Files.writeString(directory, "a file");
        turn();
        assertThat(read).hasSizeLessThan(written.size());
        Files.delete(directory);
        Files.move(away, directory);
        drain();
        assertThat(read).hasSameElementsAs(written).doesNotHaveDuplicates();
    }

    @Test
    void shouldReadTheOtherFilesWhileAnOpenOneCannotBeRead() throws Exception {
        TrackedFile broken = partitions.values().stream()
                .filter(TrackedFile::isOpen)
                .findFirst()
                .orElseThrow();
        FailingChannel disk = new FailingChannel(FileChannel.open(broken.path(), StandardOpenOption.READ));
        disk.failAfter(0);
        broken.use(disk);
        while (turn()) {
            // Until there is nothing more, except in the broken file.
        }
        assertThat(read).hasSize(20 * (FILES - 1));
        disk.failAfter(Integer.MAX_VALUE);
        drain();
        assertThat(read).hasSameElementsAs(written).doesNotHaveDuplicates();
    }

    private long open() {
        return partitions.values().stream().filter(TrackedFile::isOpen).count();
    }

    private Path path(int file) {
        return directory.resolve("app" + file + ".log");
    }

    private String partition(int file) {
        return partitions.keySet().stream()
                .filter(partition -> partition.endsWith(path(file).getFileName().toString()))
                .findFirst()
                .orElseThrow();
    }

    private void append(int file, int lines) throws IOException {
        appendTo(path(file), file, lines);
    }

    private void appendTo(Path path, int file, int lines) throws IOException {
        Files.write(path, newLines(file, lines), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private List<String> newLines(int file, int lines) {
        List<String> added = IntStream.range(0, lines)
                .mapToObj(i -> line(file, written.size() + i))
                .toList();
        written.addAll(added);
        return added;
    }

    private static String line(int file, int number) {
        return "{\"of\":" + file + ",\"n\":" + number + "}";
    }

    private void look() throws Exception {
        reading.look(StepwiseReading.LONG_NANOS);
    }

    private boolean turn() throws Exception {
        return reading.turn();
    }

    private void drain() throws Exception {
        reading.drain();
    }
}
