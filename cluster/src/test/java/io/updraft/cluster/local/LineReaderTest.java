package io.updraft.cluster.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LineReaderTest {

    @Test
    void shouldReadLinesWithoutTheirEnds() throws Exception {
        assertThat(lines("a\nb\r\n\nc")).containsExactly("a", "b", "", "c");
        assertThat(lines("")).isEmpty();
    }

    @Test
    void shouldCutALineThatIsTooLong() throws Exception {
        String line = "x".repeat(2 * LineReader.LONGEST + 1);
        assertThat(lines(line + "\nend"))
                .containsExactly("x".repeat(LineReader.LONGEST), "x".repeat(LineReader.LONGEST), "x", "end");
    }

    private static List<String> lines(String text) throws IOException {
        LineReader reader = new LineReader(new StringReader(text));
        List<String> lines = new ArrayList<>();
        for (String line = reader.next(); line != null; line = reader.next()) {
            lines.add(line);
        }
        return lines;
    }
}
