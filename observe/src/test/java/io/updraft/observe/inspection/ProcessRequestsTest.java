package io.updraft.observe.inspection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ProcessRequestsTest {
    private static Map<String, Object> having(Object value) {
        return Collections.singletonMap("n", value);
    }

    @Test
    void shouldTakeWholeNumbersOnly() {
        assertThat(ProcessRequests.number(Map.of(), "n")).isZero();
        assertThat(ProcessRequests.number(having(null), "n")).isZero();
        assertThat(ProcessRequests.number(having(60L), "n")).isEqualTo(60);
        assertThat(ProcessRequests.number(having(60.0), "n")).isEqualTo(60);
        for (Object wrong : List.of("60", "", true, -1, 1.5, 1e308, 1L << 32, List.of())) {
            assertThatThrownBy(() -> ProcessRequests.number(having(wrong), "n"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("'n' must be a whole number, 0 or more");
        }
        assertThatThrownBy(() -> ProcessRequests.positive(having(0), "n")).hasMessage("'n' must be at least 1");
    }

    @Test
    void shouldTakePercentagesOnly() {
        assertThat(ProcessRequests.percent(Map.of(), "n")).isZero();
        assertThat(ProcessRequests.percent(having(0.5), "n")).isEqualTo(0.5);
        assertThat(ProcessRequests.percent(having(100), "n")).isEqualTo(100);
        for (Object wrong : List.of("10", -1, 100.1, 1e308, Double.NaN)) {
            assertThatThrownBy(() -> ProcessRequests.percent(having(wrong), "n"))
                    .hasMessage("'n' must be a number from 0 to 100");
        }
    }
}
