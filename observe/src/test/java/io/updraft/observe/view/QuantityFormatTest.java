package io.updraft.observe.view;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuantityFormatTest {

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "0.4, 0.4",
        "1, 1",
        "9.94, 9.9",
        "9.96, 10",
        "999, 999",
        "999.6, 1.00k",
        "12345, 12.3k",
        "99940, 99.9k",
        "99960, 100k",
        "999499, 999k",
        "999500, 1.00M",
        "1200000, 1.20M",
        "62e6, 62.0M",
        "9.9e18, 9900P"
    })
    void shouldWriteCountsShort(double value, String text) {
        assertThat(QuantityFormat.count(value)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({
        "0, -",
        "850, 850ns",
        "1200, 1.2us",
        "9940, 9.9us",
        "9960, 10us",
        "999499, 999us",
        "999500, 1.0ms",
        "45000000, 45ms",
        "999500000, 1.0s",
        "30000000000, 30s"
    })
    void shouldWriteLatenciesShort(long nanos, String text) {
        assertThat(QuantityFormat.latency(nanos)).isEqualTo(text);
    }

    @Test
    void shouldNeverNeedMoreThanFiveCharacters() {
        for (double value = 0.001; value < 1e17; value *= 1.003) {
            assertThat(QuantityFormat.count(value)).hasSizeLessThanOrEqualTo(5);
        }
        for (double nanos = 1; nanos < 1e15; nanos *= 1.003) {
            assertThat(QuantityFormat.latency((long) nanos)).hasSizeLessThanOrEqualTo(6);
        }
    }
}
