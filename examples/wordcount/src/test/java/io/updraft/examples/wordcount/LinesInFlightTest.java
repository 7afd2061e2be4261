package io.updraft.examples.wordcount;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LinesInFlightTest {
    private final LinesInFlight lines = new LinesInFlight();

    @Test
    void shouldKeepALineUntilItIsAcked() {
        long number = lines.add("a line");
        assertThat(lines.line(number)).isEqualTo("a line");
        assertThat(lines.isEmpty()).isFalse();
        lines.ack(number);
        assertThat(lines.isEmpty()).isTrue();
    }

    @Test
    void shouldHandOutFailedLinesAgainUnderTheirNumbers() {
        long first = lines.add("first");
        long second = lines.add("second");
        lines.fail(second);
        lines.fail(first);
        assertThat(lines.pollFailed()).isEqualTo(second);
        assertThat(lines.pollFailed()).isEqualTo(first);
        assertThat(lines.pollFailed()).isEqualTo(-1);
    }

    @Test
    void shouldStopAWindowAheadOfTheOldestLine() {
        for (int i = 0; i < LinesInFlight.WINDOW; i++) {
            assertThat(lines.isFull()).isFalse();
            lines.add("line");
        }
        assertThat(lines.isFull()).isTrue();
        lines.ack(1);
        assertThat(lines.isFull()).isTrue();
        lines.ack(0);
        assertThat(lines.isFull()).isFalse();
    }

    @Test
    void shouldIgnoreWhatIsSaidOfLinesThatAreNotInFlight() {
        long number = lines.add("line");
        lines.ack(number);
        lines.fail(number);
        lines.ack(number);
        lines.fail(99);
        assertThat(lines.pollFailed()).isEqualTo(-1);
        assertThat(lines.isEmpty()).isTrue();
    }
}
