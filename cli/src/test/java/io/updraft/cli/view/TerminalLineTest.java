package io.updraft.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TerminalLineTest {

    @Test
    void shouldCutByTheColumnsOfTheTerminal() {
        assertThat(TerminalLine.fit("counter", 7)).isEqualTo("counter");
        assertThat(TerminalLine.fit("counter", 6)).isEqualTo("count~");
        assertThat(TerminalLine.fit("\u5206\u8bcd\u5668", 6)).isEqualTo("\u5206\u8bcd\u5668");
        assertThat(TerminalLine.fit("\u5206\u8bcd\u5668", 5)).isEqualTo("\u5206\u8bcd~");
        assertThat(TerminalLine.fit("\ud83d\ude00\ud83d\ude00", 3)).isEqualTo("\ud83d\ude00~");
        assertThat(TerminalLine.fit("e\u0301t\u00e9", 3)).isEqualTo("e\u0301t\u00e9");
        assertThat(TerminalLine.fit("any", 0)).isEmpty();
    }

    @Test
    void shouldFillToTheColumnsOfTheTerminal() {
        assertThat(TerminalLine.pad("\u5206\u8bcd", 6)).isEqualTo("\u5206\u8bcd  ");
        assertThat(TerminalLine.pad("count", 3)).isEqualTo("co~");
    }

    @Test
    void shouldEscapeWhatWouldMoveTheCursorOrReverseTheText() {
        assertThat(TerminalLine.fit("a\tb\u001b[2Jc\nd\u202ee\ud800", 40))
                .isEqualTo("a\\tb\\u001b[2Jc\\nd\\u202ee\\ud800");
    }

    @Test
    void shouldContinueALongLineAtABlank() {
        assertThat(TerminalLine.plain("stuck: count in execute() for 5s").wrap(18, 3))
                .extracting(TerminalLine::text)
                .containsExactly("stuck: count in", "  execute() for 5s");
        assertThat(TerminalLine.plain("stuck: count in execute() for 5s").wrap(12, 2))
                .extracting(TerminalLine::text)
                .containsExactly("stuck: count", "  in execut~");
        assertThat(TerminalLine.plain("x".repeat(25)).wrap(10, 9))
                .extracting(TerminalLine::text)
                .containsExactly("x".repeat(10), "  " + "x".repeat(8), "  " + "x".repeat(7));
    }
}
