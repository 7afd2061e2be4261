package io.updraft.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SizesTest {

    @Test
    void shouldReadOneSize() {
        assertThat(Sizes.MESSAGES.parse("10")).containsExactly(10);
    }

    @Test
    void shouldReadAList() {
        assertThat(Sizes.MESSAGES.parse("10,100, 1000")).containsExactly(10, 100, 1000);
    }

    @Test
    void shouldStepGeometricallyThroughARange() {
        assertThat(Sizes.MESSAGES.parse("10..10240")).containsExactly(10, 40, 160, 640, 2560, 10240);
        assertThat(Sizes.MESSAGES.parse("8..64x2")).containsExactly(8, 16, 32, 64);
    }

    @Test
    void shouldEndARangeAtItsLastSize() {
        assertThat(Sizes.MESSAGES.parse("10..1000x10,5000")).containsExactly(10, 100, 1000, 5000);
        assertThat(Sizes.MESSAGES.parse("10..50")).containsExactly(10, 40, 50);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "0", "-1", "ten", "10,", "10..", "..10", "10..10", "100..10", "10..100x1", "99999999999"})
    void shouldNameWhatItCannotRead(String text) {
        assertThatThrownBy(() -> Sizes.MESSAGES.parse(text))
                .isInstanceOf(UsageError.class)
                .hasMessageStartingWith("--messageSize " + text + ": ");
    }
}
