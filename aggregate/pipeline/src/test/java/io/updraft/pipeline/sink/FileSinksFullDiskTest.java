package io.updraft.pipeline.sink;

import static io.updraft.pipeline.connector.FlightResults.COLUMNS;
import static io.updraft.pipeline.connector.FlightResults.DIMENSIONS;
import static io.updraft.pipeline.connector.FlightResults.count;
import static io.updraft.pipeline.connector.FlightResults.hour;
import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.pipeline.connector.FlightResults;
import io.updraft.pipeline.connector.ResultSink;
import io.updraft.pipeline.connector.SinkException;
import io.updraft.pipeline.text.ResultFormat;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sinks in a JVM of its own, in which no file may be larger than 2 MiB: that fails in the same place as a full disk does. */
class FileSinksFullDiskTest {

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({
        "CSV, {window_start}.x",
        "JSON, {window_start}.x",
        "PARQUET, {window_start}.x",
        "CSV, all.x",
        "JSON, all.x"
    })
    void shouldSayThatThereIsNoRoomAndLeaveNothingHalfWritten(ResultFormat format, String name) throws Exception {
        List<String> said = child(2048, format.name(), folder + "/" + name);
        assertThat(said).hasSize(2);
        assertThat(said.get(0)).startsWith("true cannot write " + folder).contains("File too large");
        assertThat(said.get(1)).isEqualTo("written");
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.map(file -> file.getFileName().toString()).sorted().toList())
                    .isEqualTo(
                            name.startsWith("all")
                                    ? List.of(".all.x.commit", "all.x")
                                    : List.of("20130101T050000Z.x", "20130101T070000Z.x"));
        }
        if (format != ResultFormat.PARQUET && name.startsWith("all")) {
            List<String> lines = Files.readAllLines(folder.resolve("all.x"));
            assertThat(lines).hasSize(format == ResultFormat.CSV ? 3 : 2);
        }
    }

    @Test
    void shouldSayTheSameAgainWhileThereIsNoRoomToBegin() throws Exception {
        String no = "true cannot write " + folder + "/all.x: File too large";
        assertThat(child(0, "CSV", folder + "/all.x", "again")).containsExactly(no, no);
    }

    private static List<String> child(int kilobytes, String... arguments) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of("bash", "-c", "ulimit -f " + kilobytes + "; exec \"$@\"", "child"));
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:-UsePerfData", "-XX:TieredStopAtLevel=1", "-cp", classPath()));
        command.add(FileSinksFullDiskTest.class.getName());
        command.addAll(List.of(arguments));
        Process child = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String said = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(child.waitFor()).as(said).isZero();
        return said.lines().toList();
    }

    /** What surefire was given, or what this JVM was. */
    private static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }

    /** The child: a small window, one for which there is no room, a small one again; or two attempts to begin. */
    public static void main(String[] arguments) throws SinkException {
        ResultFormat format = ResultFormat.valueOf(arguments[0]);
        if (arguments.length > 2) {
            beginTwice(new FileSinkOptions(format, arguments[1], false).sink());
            return;
        }
        try (ResultSink sink = new FileSinkOptions(format, arguments[1], false).sink()) {
            sink.open(COLUMNS, DIMENSIONS);
            sink.write(hour(0, count("UA", 1, 1)), null);
            sink.flush(List.of());
            try {
                sink.write(
                        FlightResults.many(1, 300_000, i -> count(Long.toHexString(i * 0x9E3779B97F4A7C15L), i, i)),
                        null);
                System.out.println("there was room");
            } catch (SinkException e) {
                System.out.println(e.isTransient() + " " + e.getMessage());
            }
            sink.write(hour(2, count("UA", 1, 3)), null);
            sink.flush(List.of());
            System.out.println("written");
        }
    }

    private static void beginTwice(ResultSink sink) {
        for (int i = 0; i < 2; i++) {
            try {
                sink.open(COLUMNS, DIMENSIONS);
            } catch (SinkException e) {
                System.out.println(e.isTransient() + " " + e.getMessage());
            }
        }
    }
}
