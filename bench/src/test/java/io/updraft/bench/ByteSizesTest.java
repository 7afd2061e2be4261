package io.updraft.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ByteSizesTest {

    @Test
    void shouldReadOneSize() {
        assertThat(ByteSizes.MESSAGES.parse("10")).containsExactly(10);
    }

    @Test
    void shouldReadAList() {
        assertThat(ByteSizes.MESSAGES.parse("10,100, 1000")).containsExactly(10, 100, 1000);
    }

    @Test
    void shouldStepGeometricallyThroughARange() {
        assertThat(ByteSizes.MESSAGES.parse("10..10240")).containsExactly(10, 40, 160, 640, 2560, 10240);
        assertThat(ByteSizes.MESSAGES.parse("8..64x2")).containsExactly(8, 16, 32, 64);
    }

    @Test
    void shouldEndARangeAtItsLastSize() {
        assertThat(ByteSizes.MESSAGES.parse("10..1000x10,5000")).containsExactly(10, 100, 1000, 5000);
        assertThat(ByteSizes.MESSAGES.parse("10..50")).containsExactly(10, 40, 50);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "0", "-1", "ten", "10,", "10..", "..10", "10..10", "100..10", "10..100x1", "99999999999"})
    void shouldNameWhatItCannotRead(String text) {
        assertThatThrownBy(() -> ByteSizes.MESSAGES.parse(text))
                .isInstanceOf(UsageError.class)
                .hasMessageStartingWith("--messageSize " + text + ": ");
    }
}
