package io.updraft.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reading transport options from a configuration. */
final class TransportOptionsTest {

    @Test
    void shouldReadStormsThreads() {
        assertThat(TransportOptions.of(Map.of(TransportOptions.THREADS, 0)).threads())
                .isEqualTo(1);
        assertThat(TransportOptions.of(Map.of(TransportOptions.THREADS, 3)).threads())
                .isEqualTo(3);
        assertThatThrownBy(() -> TransportOptions.of(Map.of(TransportOptions.SERVER_THREADS, -1)))
                .hasMessage(
                        "storm.messaging.netty.server_worker_threads is '-1': it must be a whole number of at least 0");
    }

    @Test
    void shouldTakeTheNearestOfUseForWhatStormAllows() {
        assertThat(TransportOptions.of(Map.of(TransportOptions.BUFFER_SIZE, 1_000))
                        .bufferBytes())
                .isEqualTo(1_024);
        assertThat(TransportOptions.of(Map.of(TransportOptions.THREADS, 5_000)).threads())
                .isEqualTo(1_024);
        assertThat(frameBytes(2 * 1024 * 1024)).isEqualTo(1024 * 1024);
        assertThat(frameBytes(1)).isEqualTo(4 * 1024);
        assertThat(frameBytes(5_000)).isEqualTo(5_000);
    }

    @ParameterizedTest
    @ValueSource(strings = {TransportOptions.BUFFER_SIZE, TransportOptions.BATCH_SIZE})
    void shouldNameASizeThatIsNone(String key) {
        for (Object size : List.of(0, -1, 4096.5, "large")) {
            Map<String, Object> conf = Map.of(key, size);
            assertThatThrownBy(() -> {
                        TransportOptions.of(conf);
                        TransportOptions.frameBytes(conf);
                    })
                    .hasMessage(key + " is '" + size + "': it must be a whole number of at least 1");
        }
    }

    private static int frameBytes(int batchSize) {
        return TransportOptions.frameBytes(Map.of(TransportOptions.BATCH_SIZE, batchSize));
    }

    @ParameterizedTest
    @ValueSource(strings = {TransportOptions.TLS, TransportOptions.STORM_TLS})
    void shouldKnowBothWaysToAskForTls(String key) {
        assertThat(TransportOptions.of(Map.of()).wantsTls()).isFalse();
        assertThat(TransportOptions.of(Map.of(key, false)).wantsTls()).isFalse();
        assertThat(TransportOptions.of(Map.of(key, "true")).wantsTls()).isTrue();
        assertThatThrownBy(() -> TransportOptions.of(Map.of(key, "yes")))
                .hasMessage(key + " is 'yes': it must be true or false");
    }
}
