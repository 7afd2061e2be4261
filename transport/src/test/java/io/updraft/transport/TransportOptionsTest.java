package io.updraft.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a configuration says about transports. */
final class TransportOptionsTest {

    @Test
    void shouldReadStormsThreads() {
        assertThat(TransportOptions.of(Map.of(TransportOptions.THREADS, 0)).threads())
                .isEqualTo(1);
        assertThat(TransportOptions.of(Map.of(TransportOptions.THREADS, 3)).threads())
                .isEqualTo(3);
        assertThatThrownBy(() -> TransportOptions.of(Map.of(TransportOptions.SERVER_THREADS, -1)))
                .hasMessage("storm.messaging.netty.server_worker_threads is '-1': it must be a whole number, from 0 to"
                        + " 1024");
    }

    @Test
    void shouldNameABufferThatIsTooSmall() {
        assertThatThrownBy(() -> TransportOptions.of(Map.of(TransportOptions.BUFFER_SIZE, 1_000)))
                .hasMessage("storm.messaging.netty.buffer_size is '1000': it must be a whole number, at least 1024");
    }

    @ParameterizedTest
    @ValueSource(strings = {TransportOptions.TLS, TransportOptions.STORM_TLS})
    void shouldKnowBothWaysToAskForTls(String key) {
        assertThat(TransportOptions.of(Map.of()).wantsTls()).isFalse();
        assertThat(TransportOptions.of(Map.of(key, false)).wantsTls()).isFalse();
        assertThat(TransportOptions.of(Map.of(key, "true")).wantsTls()).isTrue();
        assertThatThrownBy(() -> TransportOptions.of(Map.of(key, "yes")))
                .hasMessage(key + " is 'yes': it must be one of [true, false]");
    }
}
