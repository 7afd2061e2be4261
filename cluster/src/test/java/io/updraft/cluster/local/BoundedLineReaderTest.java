package io.updraft.cluster.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.cluster.local.WorkerProcess.BoundedLineReader;
import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BoundedLineReaderTest {

    @Test
    void shouldReadLinesWithoutTheirEnds() throws Exception {
        assertThat(lines("a\nb\r\n\nc")).containsExactly("a", "b", "", "c");
        assertThat(lines("")).isEmpty();
    }

    @Test
    void shouldCutALineThatIsTooLong() throws Exception {
        String line = "x".repeat(2 * BoundedLineReader.MAX_CHARS + 1);
        assertThat(lines(line + "\nend"))
                .containsExactly(
                        "x".repeat(BoundedLineReader.MAX_CHARS), "x".repeat(BoundedLineReader.MAX_CHARS), "x", "end");
    }

    private static List<String> lines(String text) throws IOException {
        BoundedLineReader reader = new BoundedLineReader(new StringReader(text));
        List<String> lines = new ArrayList<>();
        for (String line = reader.next(); line != null; line = reader.next()) {
            lines.add(line);
        }
        return lines;
    }
}
