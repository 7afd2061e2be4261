package io.updraft.pipeline.source;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RecordCutterTest {

    private static final RecordCutter CSV = RecordCutter.csv((byte) '"', (byte) ',');

    @Test
    void shouldCutAfterTheLastLineFeedOutsideOfQuotes() {
        assertThat(cut("a,b\nc")).isEqualTo(4);
        assertThat(cut("a,\"b\nc")).isZero();
        assertThat(cut("x\na,\"b\nc")).isEqualTo(2);
        assertThat(cut("a,\"b\nc\"\nd")).isEqualTo(8);
        assertThat(cut("a,\"b\"\"\n\"\"c\"\nd")).isEqualTo(12);
        assertThat(cut("a,\"b\"\nc,\"")).isEqualTo(6);
    }

    @Test
    void shouldTakeAQuoteWithinAFieldAsItIs() {
        assertThat(cut("5\" pipe,1\n6\" pipe,2\n")).isEqualTo(20);
        assertThat(cut("\uFEFF\"a\nb\",c\nd")).isEqualTo(11);
    }

    @Test
    void shouldNotTakeAQuoteAtTheEndForTheEndOfQuotes() {
        // The next byte may be another quote.
        assertThat(cut("a\n\"b\nc\"")).isEqualTo(2);
    }

    @Test
    void shouldCutWhereAParserWouldAtAnyLength() {
        Random random = new Random(42);
        String alphabet = "ab,,\"\"\n\r";
        for (int round = 0; round < 3000; round++) {
            StringBuilder text = new StringBuilder();
            for (int i = random.nextInt(60); i >= 0; i--) {
                text.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            byte[] bytes = text.toString().getBytes(UTF_8);
            List<Integer> ends = ends(bytes);
            int cut = CSV.cut(bytes, bytes.length);
            int expected = ends.isEmpty() ? 0 : ends.get(ends.size() - 1);
            assertThat(cut).as(text.toString().replace("\n", "\\n")).isEqualTo(expected);
        }
    }

    // The state machine of RFC 4180, one byte at a time; a quote that is last in the buffer may be half of a doubled
    // one.
    private static List<Integer> ends(byte[] bytes) {
        List<Integer> ends = new ArrayList<>();
        boolean quoted = false;
        for (int i = 0; i < bytes.length; i++) {
            byte before = i == 0 ? (byte) '\n' : bytes[i - 1];
            if (quoted && bytes[i] == '"') {
                if (i + 1 == bytes.length) {
                    break;
                }
                if (bytes[i + 1] == '"') {
                    i++;
                } else {
                    quoted = false;
                }
            } else if (!quoted && bytes[i] == '"' && (before == ',' || before == '\n' || before == '\r')) {
                quoted = true;
            } else if (!quoted && bytes[i] == '\n') {
                ends.add(i + 1);
            }
        }
        return ends;
    }

    private static int cut(String text) {
        byte[] bytes = text.getBytes(UTF_8);
        return CSV.cut(bytes, bytes.length);
    }
}
