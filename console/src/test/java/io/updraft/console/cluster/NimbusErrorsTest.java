package io.updraft.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.storm.generated.ErrorInfo;
import org.junit.jupiter.api.Test;

class NimbusErrorsTest {
    private static Object message(String error) {
        return NimbusErrors.of("count", new ErrorInfo(error, 1_700_000_000), true)
                .error();
    }

    @Test
    void shouldTakeOffTheExceptionsThatStormWrapsAround() {
        assertThat(
                        message(
                                "java.lang.RuntimeException: java.lang.RuntimeException: java.lang.IllegalStateException: no: 1\n\tat"))
                .isEqualTo("java.lang.IllegalStateException: no: 1");
        assertThat(message("java.lang.RuntimeException: a.b.C$QuotaException")).isEqualTo("a.b.C$QuotaException");
    }

    @Test
    void shouldKeepExceptionsOfTheComponent() {
        assertThat(message("java.lang.RuntimeException: no")).isEqualTo("java.lang.RuntimeException: no");
        assertThat(message("java.lang.RuntimeException: reported: an Exception: x"))
                .isEqualTo("java.lang.RuntimeException: reported: an Exception: x");
        assertThat(message("java.lang.IllegalStateException: java.lang.Error: no"))
                .isEqualTo("java.lang.IllegalStateException: java.lang.Error: no");
    }
}
