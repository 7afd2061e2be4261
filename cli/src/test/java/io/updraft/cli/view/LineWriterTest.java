package io.updraft.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class LineWriterTest {

    @Test
    void shouldKeepWhatIsPrintedOnOneLineAndEscapeHiddenCharacters() {
        StringWriter printed = new StringWriter();
        LineWriter out = new LineWriter(printed);
        out.println("count \u202elive\nkilled \u001b[2J");
        out.println((Object) "a\u200bb");
        out.flush();
        assertThat(printed.toString().lines()).containsExactly("count \\u202elive\\nkilled \\u001b[2J", "a\\u200bb");
    }
}
