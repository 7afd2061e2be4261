package io.updraft.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.cli.view.TerminalBlock.AboveBlockStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TerminalBlockTest {
    private final ByteArrayOutputStream terminal = new ByteArrayOutputStream();
    private final TerminalBlock screen =
            new TerminalBlock(new PrintStream(terminal, true, StandardCharsets.UTF_8), false, 80);

    @Test
    void shouldGoBackToTheTopOfItsBlockToRedraw() {
        screen.draw(lines("one", "two"), 80);
        assertThat(output()).isEqualTo("<?25l\rone<K\ntwo<K\n<J");
        screen.draw(lines("three"), 80);
        assertThat(output()).isEqualTo("<?25l\r<2Athree<K\n<J");
    }

    @Test
    void shouldCountTheRowsThatANarrowerWindowWrappedLinesInto() {
        screen.draw(lines("x".repeat(80), "y"), 80);
        output();
        screen.draw(lines("z"), 30);
        assertThat(output()).startsWith("<?25l\r<4A");
    }

    @Test
    void shouldLetOutputPassAboveAndBringTheBlockBack() {
        screen.draw(lines("block"), 80);
        output();
        new PrintStream(new AboveBlockStream(screen), true, StandardCharsets.UTF_8).print("half a li");
        assertThat(output()).isEmpty();
        new PrintStream(new AboveBlockStream(screen), true, StandardCharsets.UTF_8).println("a line");
        assertThat(output()).isEqualTo("\r<1A<Ja line\n");
        screen.refresh();
        assertThat(output()).isEqualTo("<?25l\rblock<K\n<J");
        screen.refresh();
        assertThat(output()).isEmpty();
    }

    @Test
    void shouldGiveTheCursorBackOnce() {
        screen.draw(lines("block"), 80);
        output();
        screen.close();
        assertThat(output()).isEqualTo("\r<1A<J<?25h");
        screen.close();
        screen.draw(lines("late"), 80);
        assertThat(output()).isEmpty();
    }

    @Test
    void shouldNotLoseALineWithoutAnEnd() {
        AboveBlockStream above = new AboveBlockStream(screen);
        above.write("first\nsecond".getBytes(StandardCharsets.US_ASCII), 0, 12);
        above.close();
        assertThat(output()).isEqualTo("first\nsecond\n");
    }

    private static List<TerminalLine> lines(String... texts) {
        return Stream.of(texts).map(TerminalLine::plain).toList();
    }

    private String output() {
        String text = terminal.toString(StandardCharsets.UTF_8)
                .replace("\u001b[", "<")
                .replace(System.lineSeparator(), "\n");
        terminal.reset();
        return text;
    }
}
