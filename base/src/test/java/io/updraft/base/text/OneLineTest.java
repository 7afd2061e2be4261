package io.updraft.base.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class OneLineTest {

    @Test
    void shouldJoinLines() {
        assertThat(OneLine.of(" a\n  b\r\n\tc \u0000d\u001b[31m ")).isEqualTo("a b c d [31m");
        assertThat(OneLine.of((String) null)).isEqualTo("null");
    }

    @Test
    void shouldDescribeAFailureByItsMessageOrElseByItsClass() {
        assertThat(OneLine.of(new IllegalStateException("no\nroom"))).isEqualTo("no room");
        assertThat(OneLine.of(new IllegalStateException())).isEqualTo("IllegalStateException");
        assertThat(OneLine.of(new IllegalStateException(" "))).isEqualTo("IllegalStateException");
    }

    @Test
    void shouldTakeTheFirstLine() {
        assertThat(OneLine.first(" first \nsecond")).isEqualTo("first");
        assertThat(OneLine.first("")).isEmpty();
        assertThat(OneLine.first(new IllegalStateException("no room\nat all"))).isEqualTo("no room");
        assertThat(OneLine.first(new IllegalStateException())).isEqualTo("IllegalStateException");
    }
}
