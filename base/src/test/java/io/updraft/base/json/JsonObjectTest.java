package io.updraft.base.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

final class JsonObjectTest {
    private static JsonObject having(Object value) {
        return JsonObject.of("n", value);
    }

    @Test
    void shouldTakeWholeNumbersOnly() {
        assertThat(JsonObject.of().whole("n")).isZero();
        assertThat(having(null).whole("n")).isZero();
        assertThat(having(60L).whole("n")).isEqualTo(60);
        assertThat(having(60.0).whole("n")).isEqualTo(60);
        for (Object wrong : List.of("60", "", true, -1, 1.5, 1e308, 1L << 32, List.of())) {
            assertThatThrownBy(() -> having(wrong).whole("n"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("'n' must be a whole number, 0 or more");
        }
        assertThatThrownBy(() -> having(0).positive("n")).hasMessage("'n' must be at least 1");
    }

    @Test
    void shouldTakePercentagesOnly() {
        assertThat(JsonObject.of().percent("n")).isZero();
        assertThat(having(0.5).percent("n")).isEqualTo(0.5);
        assertThat(having(100).percent("n")).isEqualTo(100);
        for (Object wrong : List.of("10", -1, 100.1, 1e308, Double.NaN)) {
            assertThatThrownBy(() -> having(wrong).percent("n")).hasMessage("'n' must be a number from 0 to 100");
        }
    }
}
