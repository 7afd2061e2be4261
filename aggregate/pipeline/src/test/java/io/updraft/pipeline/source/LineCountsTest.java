package io.updraft.pipeline.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.OptionalLong;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LineCountsTest {
    private static final String LINE = "0123456789abcde\n";
    private static final int LINES = 100_000;

    private final LineCounts lines = new LineCounts();

    @TempDir
    Path directory;

    @Test
    void shouldCountFromTheNearestPositionThatIsKnown() throws Exception {
        Path file = write(Files.newOutputStream(directory.resolve("plain")), "plain");
        assertThat(lineAt(file, 0)).hasValue(1);
        assertThat(lineAt(file, 50_000 * LINE.length())).hasValue(50_001);
        assertThat(lineAt(file, 99_999 * LINE.length())).hasValue(100_000);
        assertThat(lineAt(file, 3 * LINE.length())).as("before what is known").hasValue(4);
        assertThat(lineAt(file, 3 * LINE.length() + 5)).as("within a line").hasValue(4);
    }

    @Test
    void shouldCountInTheUnpackedContent() throws Exception {
        Path file = write(new GZIPOutputStream(Files.newOutputStream(directory.resolve("packed"))), "packed");
        assertThat(lineAt(file, 70_000 * LINE.length())).hasValue(70_001);
        assertThat(lineAt(file, 20 * LINE.length())).hasValue(21);
    }

    @Test
    void shouldKeepCountingRightWhenItHasForgottenPositions() throws Exception {
        Path file = write(Files.newOutputStream(directory.resolve("plain")), "plain");
        for (int line = 1; line <= 1_000; line++) {
            assertThat(lineAt(file, line * LINE.length())).hasValue(line + 1);
        }
        assertThat(lineAt(file, 2 * LINE.length())).hasValue(3);
    }

    @Test
    void shouldGoOnAtTheNextCallWhenAPositionIsFar() throws Exception {
        Path file = directory.resolve("large");
        long far = 3 * LineCounts.MOST_BYTES;
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap("a\n".getBytes(StandardCharsets.UTF_8)), far - 2);
        }
        assertThat(lineAt(file, far)).isEmpty();
        assertThat(lineAt(file, far)).isEmpty();
        assertThat(lineAt(file, far)).hasValue(2);
    }

    @Test
    void shouldRefuseAPositionBehindTheEnd() throws Exception {
        Path file = write(Files.newOutputStream(directory.resolve("plain")), "plain");
        assertThatThrownBy(() -> lineAt(file, (LINES + 1) * LINE.length())).isInstanceOf(EOFException.class);
    }

    private Path write(OutputStream out, String name) throws IOException {
        try (out) {
            out.write(LINE.repeat(LINES).getBytes(StandardCharsets.UTF_8));
        }
        return directory.resolve(name);
    }

    private OptionalLong lineAt(Path file, long position) throws IOException {
        try (FileChannel channel = FileChannel.open(file)) {
            return lines.lineAt(position, channel);
        }
    }
}
