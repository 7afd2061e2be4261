package io.updraft.pipeline.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Followed files that are missing at a step of reading. */
class FilesAwayStepsTest {

    private static final int LIMIT = 2;

    @TempDir
    Path directory;

    @AutoClose
    private final StepwiseReading reading = new StepwiseReading();

    private final List<String> read = reading.lines;
    private Path logs;
    private Path away;

    @BeforeEach
    void prepare() throws IOException {
        logs = Files.createDirectory(directory.resolve("logs"));
        away = directory.resolve("away");
    }

    @Test
    void shouldReadAPackedFileOnceThatWasMissingBeforeItWasRead() throws Exception {
        Files.write(logs.resolve("app.log.gz"), packed(lines(0, 100)));
        reading.open(logs, LIMIT);
        goAwayAndComeBack();
        reading.drain();
        assertThat(read).isEqualTo(lines(0, 100));
    }

    @Test
    void shouldReadAPackedFileOnceThatWasMissingAfterItWasRead() throws Exception {
        Files.write(logs.resolve("app.log.gz"), packed(lines(0, 100)));
        reading.open(logs, LIMIT);
        reading.turn();
        goAwayAndComeBack();
        goAwayAndComeBack();
        reading.drain();
        assertThat(read).isEqualTo(lines(0, 100));
    }

    private void goAwayAndComeBack() throws Exception {
        Files.move(logs, away);
        look();
        Files.move(away, logs);
        look();
    }

    private static List<String> lines(int from, int to) {
        return IntStream.range(from, to).mapToObj(i -> "{\"n\":" + i + "}").toList();
    }

    private static byte[] packed(List<String> lines) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write((String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8));
        }
        return out.toByteArray();
    }

    private void look() throws Exception {
        reading.look(StepwiseReading.LONG_NANOS);
    }
}
