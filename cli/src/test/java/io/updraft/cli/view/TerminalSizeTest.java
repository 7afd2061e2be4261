package io.updraft.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class TerminalSizeTest {

    @Test
    void shouldReadWhatSttySays() {
        assertThat(TerminalSize.parse("24 100\n")).isEqualTo(new TerminalSize(100, 24));
    }

    @Test
    void shouldTakeNoSizeForNone() {
        assertThat(TerminalSize.parse("")).isNull();
        assertThat(TerminalSize.parse("0 0")).isNull();
        assertThat(TerminalSize.parse("stty: no")).isNull();
    }

    @Test
    void shouldFallBackToTheEnvironmentAndThenToEightyByTwentyFour() {
        assertThat(TerminalSize.fromEnvironment(Map.of("COLUMNS", "132", "LINES", "x")))
                .isEqualTo(new TerminalSize(132, 24));
        assertThat(TerminalSize.fromEnvironment(Map.of())).isEqualTo(new TerminalSize(80, 24));
    }
}
