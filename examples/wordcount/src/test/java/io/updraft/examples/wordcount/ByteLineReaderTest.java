package io.updraft.examples.wordcount;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ByteLineReaderTest {

    @Test
    void shouldReadLinesWithAndWithoutAnEnd() throws IOException {
        assertThat(lines("one\n\ntwo")).containsExactly("one", "", "two");
        assertThat(lines("one\n")).containsExactly("one");
        assertThat(lines("")).isEmpty();
    }

    @Test
    void shouldKeepEveryByte() throws IOException {
        assertThat(lines("\u00e6\r\0\n")).containsExactly("\u00c3\u00a6\r\0");
    }

    @Test
    void shouldCutALongLineBetweenWords() throws IOException {
        String word = "x".repeat(ByteLineReader.LONG_LINE + 100);
        assertThat(lines(word + " y z\nlast")).containsExactly(word, "y z", "last");
    }

    private static List<String> lines(String text) throws IOException {
        List<String> lines = new ArrayList<>();
        try (ByteLineReader reader =
                new ByteLineReader(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)))) {
            for (String line = reader.next(); line != null; line = reader.next()) {
                lines.add(line);
            }
        }
        return lines;
    }
}
