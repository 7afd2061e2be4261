package io.updraft.pipeline.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.pipeline.connector.SinkException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RejectedRecordTargetsTest {

    @TempDir
    Path folder;

    @Test
    void shouldWriteRecordsAsLinesOfJson() throws IOException {
        Path file = folder.resolve("new/bad.jsonl");
        try (RejectedRecordSink sink = new RejectedRecordSinkOptions.Lines(file, 100_000_000, 4).sink()) {
            accept(sink, "in.csv", 17, "line 3: \"x\" is no number", "a,\"x\"\n");
            byte[] binary = {9, (byte) 0xff, 0, 1, 9};
            sink.accept("flights-0", 18, "not UTF-8", binary, 1, 3);
            assertThat(sink.dropped()).isZero();
        }
        assertThat(Files.readAllLines(file))
                .containsExactly(
                        "{\"unit\":\"in.csv\",\"position\":17,\"reason\":\"line 3: \\\"x\\\" is no"
                                + " number\",\"record\":\"a,\\\"x\\\"\\n\"}",
                        "{\"unit\":\"flights-0\",\"position\":18,\"reason\":\"not UTF-8\",\"base64\":\"/wAB\"}");
    }

    @Test
    void shouldKeepTheNewestRecordsWithinItsBoundsHoweverManyCome() throws IOException {
        Path file = folder.resolve("bad.jsonl");
        int flood = 20_000;
        try (RejectedRecordSink sink = new RejectedRecordSinkOptions.Lines(file, 40_000, 4).sink()) {
            for (int i = 0; i < flood; i++) {
                accept(sink, "in.csv", i, "bad", "record");
            }
            accept(sink, "in.csv", flood, "large", "x".repeat(10_001));
            assertThat(sink.dropped()).isEqualTo(1);
        }
        List<String> all = new ArrayList<>();
        for (String name : List.of("bad.jsonl.3", "bad.jsonl.2", "bad.jsonl.1", "bad.jsonl")) {
            assertThat(folder.resolve(name)).isRegularFile();
            assertThat(Files.size(folder.resolve(name))).isLessThanOrEqualTo(10_000);
            all.addAll(Files.readAllLines(folder.resolve(name)));
        }
        assertThat(files()).hasSize(4);
        for (int i = 0; i < all.size(); i++) {
            int position = flood - all.size() + i;
            assertThat(all.get(i)).contains("\"position\":" + position + ",");
        }
    }

    @Test
    void shouldAddToWhatIsThere() throws IOException {
        Path file = folder.resolve("bad.jsonl");
        for (int i = 0; i < 3; i++) {
            try (RejectedRecordSink sink = new RejectedRecordSinkOptions.Lines(file, 100_000_000, 4).sink()) {
                accept(sink, "in.csv", i, "bad", "record");
            }
        }
        assertThat(Files.readAllLines(file)).hasSize(3);
    }

    @Test
    void shouldCountWhatItCanNeverWriteAndGoOn() throws Exception {
        Files.writeString(folder.resolve("file"), "");
        try (RejectedRecordSink sink =
                new RejectedRecordSinkOptions.Lines(folder.resolve("file/bad.jsonl"), 100_000_000, 4).sink()) {
            accept(sink, "in.csv", 1, "bad", "record");
            sink.flush();
            accept(sink, "in.csv", 2, "bad", "record");
            sink.flush();
            assertThat(sink.dropped()).isEqualTo(2);
        }
    }

    @Test
    void shouldShowFewerAndFewerAsThereAreMoreAndNothingThatMovesTheCursor() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
        try (RejectedRecordSink sink = new SampleRejectedRecordSink(new RejectedRecordSinkOptions.Sample(3), out)) {
            for (int i = 1; i <= 1000; i++) {
                accept(sink, "in.csv", i, "bad", "\033[2Jrecord\r");
            }
        }
        List<String> lines = bytes.toString(StandardCharsets.UTF_8).lines().toList();
        assertThat(lines).hasSize(3 + 8);
        assertThat(lines.get(0)).isEqualTo("not in the results (1 so far): in.csv:1: bad: \\u001b[2Jrecord\\u000d");
        assertThat(lines.get(10)).startsWith("not in the results (512 so far): in.csv:512:");
    }

    @Test
    void shouldKeepWhatADiskDoesNotTakeUntilItDoes() throws Exception {
        Path file = Files.createSymbolicLink(folder.resolve("bad.jsonl"), folder.resolve("later/bad.jsonl"));
        try (RejectedRecordSink sink = new RejectedRecordSinkOptions.Lines(file, 100_000_000, 4).sink()) {
            for (int i = 0; i < 10_000; i++) {
                accept(sink, "in.csv", i, "bad", "record");
            }
            assertThatThrownBy(sink::flush)
                    .isInstanceOfSatisfying(
                            SinkException.class,
                            e -> assertThat(e.isTransient()).isTrue())
                    .hasMessage("cannot write " + file + ": no such file or folder");
            assertThat(sink.waiting()).isGreaterThan(500_000);
            Files.createDirectory(folder.resolve("later"));
            sink.flush();
            assertThat(sink.waiting()).isZero();
            assertThat(sink.dropped()).isZero();
            assertThat(Files.readAllLines(file)).hasSize(10_000).doesNotHaveDuplicates();
        }
    }

    @Test
    void shouldShareAFileWithOthersThatWriteItAndRenameIt() throws Exception {
        Path file = folder.resolve("bad.jsonl");
        RejectedRecordSinkOptions.Lines options = new RejectedRecordSinkOptions.Lines(file, 400_000, 4);
        try (RejectedRecordSink one = options.sink();
                RejectedRecordSink other = options.sink()) {
            Thread thread = new Thread(() -> fill(other, "other"));
            thread.start();
            fill(one, "one");
            thread.join();
            assertThat(one.dropped() + other.dropped()).isZero();
        }
        List<String> all = new ArrayList<>();
        for (Path each : files()) {
            all.addAll(Files.readAllLines(each));
        }
        assertThat(files()).hasSizeGreaterThan(1);
        assertThat(all).hasSize(2 * SHARED).doesNotHaveDuplicates().allMatch(line -> line.endsWith("\"}"));
    }

    private static final int SHARED = 2_000;

    private static void fill(RejectedRecordSink sink, String partition) {
        for (int i = 0; i < SHARED; i++) {
            accept(sink, partition, i, "bad", "record");
            if (i % 100 == 0) {
                flushPatiently(sink);
            }
        }
        flushPatiently(sink);
    }

    /** As the run does: what fails is tried again. */
    private static void flushPatiently(RejectedRecordSink sink) {
        boolean done = false;
        while (!done) {
            try {
                sink.flush();
                done = true;
            } catch (SinkException e) {
                assertThat(e.isTransient()).isTrue();
            }
        }
    }

    @Test
    void shouldEndHalfALineThatACrashHasLeft() throws Exception {
        Path file = Files.writeString(folder.resolve("bad.jsonl"), "{\"unit\":\"in.c");
        try (RejectedRecordSink sink = new RejectedRecordSinkOptions.Lines(file, 100_000_000, 4).sink()) {
            accept(sink, "in.csv", 1, "bad", "record");
        }
        assertThat(Files.readAllLines(file))
                .containsExactly(
                        "{\"unit\":\"in.c",
                        "{\"unit\":\"in.csv\",\"position\":1,\"reason\":\"bad\",\"record\":\"record\"}");
    }

    @Test
    void shouldWriteToADevice() throws Exception {
        try (RejectedRecordSink sink =
                new RejectedRecordSinkOptions.Lines(Path.of("/dev/null"), 100_000_000, 4).sink()) {
            accept(sink, "in.csv", 1, "bad", "record");
            sink.flush();
            assertThat(sink.dropped() + sink.waiting()).isZero();
        }
    }

    @Test
    void shouldKeepWhatABrokerThatIsAwayDoesNotTakeWithoutWaitingForEach() {
        Map<String, String> away = Map.of("bootstrap.servers", "127.0.0.1:1", "max.block.ms", "50");
        RejectedRecordSink sink = new RejectedRecordSinkOptions.Topic("bad", away).sink();
        for (int i = 0; i < 10_000; i++) {
            accept(sink, "in.csv", i, "bad", "record");
        }
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(sink::flush)
                    .isInstanceOfSatisfying(
                            SinkException.class,
                            e -> assertThat(e.isTransient()).isTrue())
                    .hasMessageContaining("cannot write to topic bad at 127.0.0.1:1: ");
            assertThat(sink.dropped()).isZero();
            assertThat(sink.waiting()).isGreaterThan(10_000 * "record".length());
        }
        sink.close();
        assertThat(sink.dropped()).isEqualTo(10_000);
    }

    @Test
    void shouldRefuseBoundsWithoutCapacity() {
        assertThatThrownBy(() -> new RejectedRecordSinkOptions.Lines(folder, 2_000, 2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1024 bytes");
    }

    private static void accept(RejectedRecordSink sink, String partition, long position, String reason, String record) {
        byte[] bytes = ("<<" + record + ">>").getBytes(StandardCharsets.UTF_8);
        sink.accept(partition, position, reason, bytes, 2, bytes.length - 4);
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        }
    }
}
