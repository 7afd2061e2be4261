package io.updraft.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class DurationConverterTest {

    @ParameterizedTest
    @CsvSource({"500ms, PT0.5S", "60s, PT1M", "60, PT1M", "1.5m, PT1M30S", "2h, PT2H", "0s, PT0S"})
    void shouldReadANumberAndAUnit(String text, Duration duration) {
        assertThat(new DurationConverter().convert(text)).isEqualTo(duration);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "-1s", "1d", "1 s", "s", "1e3s", "99999999999s"})
    void shouldRefuseAnythingElseAndSayWhatToWrite(String text) {
        assertThatThrownBy(() -> new DurationConverter().convert(text))
                .isInstanceOf(TypeConversionException.class)
                .hasMessageContaining("500ms, 60s, 5m, 2h");
    }
}
