package io.updraft.transport.session;

import static io.updraft.transport.session.SimulatedSessions.MILLI;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.transport.TransportOptions;
import io.updraft.transport.security.Credentials;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reading session options from a configuration. */
final class MessengerOptionsTest {

    private static final PeerIdentity SELF = new PeerIdentity("t", 1, 1);

    @Test
    void shouldHaveDefaults() {
        MessengerOptions options = read(Map.of());
        assertThat(options.creditBytes()).isEqualTo(8 * 1024 * 1024);
        assertThat(options.heartbeatNanos()).isEqualTo(500 * MILLI);
        assertThat(options.silenceNanos()).isEqualTo(10_000 * MILLI);
        assertThat(options.handshakeNanos()).isEqualTo(3_000 * MILLI);
        assertThat(options.maxUnauthenticated()).isEqualTo(2_048);
        assertThat(options.firstBackOffNanos()).isEqualTo(100 * MILLI);
        assertThat(options.longestBackOffNanos()).isEqualTo(1_000 * MILLI);
        assertThat(options.allowUnauthenticated()).isFalse();
    }

    @Test
    void shouldReadEveryKey() {
        MessengerOptions options = read(Map.of(
                MessengerOptions.CREDIT, 65_536L,
                MessengerOptions.HEARTBEAT, 20,
                MessengerOptions.SILENCE, 40,
                MessengerOptions.HANDSHAKE, 700,
                TransportOptions.MAX_UNAUTHENTICATED, 7,
                MessengerOptions.MIN_WAIT, 0,
                MessengerOptions.MAX_WAIT, 30.0));
        assertThat(options.creditBytes()).isEqualTo(65_536);
        assertThat(options.heartbeatNanos()).isEqualTo(20 * MILLI);
        assertThat(options.silenceNanos()).isEqualTo(40 * MILLI);
        assertThat(options.handshakeNanos()).isEqualTo(700 * MILLI);
        assertThat(options.maxUnauthenticated()).isEqualTo(7);
        assertThat(options.firstBackOffNanos())
                .as("0 counts as 1, from which pauses can double")
                .isEqualTo(MILLI);
        assertThat(options.longestBackOffNanos()).isEqualTo(30 * MILLI);
    }

    @Test
    void shouldTakeOneOfTwoKeysThatDependOnEachOther() {
        assertThat(read(Map.of(MessengerOptions.MIN_WAIT, 5_000)).longestBackOffNanos())
                .isEqualTo(5_000 * MILLI);
        assertThat(read(Map.of(MessengerOptions.HEARTBEAT, 20_000)).silenceNanos())
                .isEqualTo(40_000 * MILLI);
    }

    @Test
    void shouldTakeTheNearestPausesOfUseForWhatStormAllows() {
        MessengerOptions shorter = read(Map.of(MessengerOptions.MIN_WAIT, 2_000, MessengerOptions.MAX_WAIT, 50));
        assertThat(shorter.firstBackOffNanos()).isEqualTo(2_000 * MILLI);
        assertThat(shorter.longestBackOffNanos()).isEqualTo(2_000 * MILLI);
        MessengerOptions none = read(Map.of(MessengerOptions.MIN_WAIT, 0, MessengerOptions.MAX_WAIT, 0));
        assertThat(none.longestBackOffNanos()).isEqualTo(MILLI);
        MessengerOptions hours =
                read(Map.of(MessengerOptions.MIN_WAIT, 7_200_000, MessengerOptions.MAX_WAIT, 7_200_000));
        assertThat(hours.firstBackOffNanos()).isEqualTo(600_000 * MILLI);
        assertThat(hours.longestBackOffNanos()).isEqualTo(600_000 * MILLI);
    }

    @Test
    void shouldTakeAKeyWithoutAValueForOneThatIsNotThere() {
        Map<String, Object> conf = new HashMap<>();
        conf.put(MessengerOptions.SILENCE, null);
        assertThat(read(conf).silenceNanos()).isEqualTo(10_000 * MILLI);
    }

    @ParameterizedTest
    @CsvSource({
        "updraft.transport.credit.bytes, 1, from 65536 to 1073741824",
        "updraft.transport.heartbeat.ms, 0, from 10 to 60000",
        "updraft.transport.silence.ms, 999, from 1000 to 600000",
        "updraft.transport.handshake.timeout.ms, soon, from 100 to 600000",
        "updraft.transport.max.unauthenticated, 0, from 1 to 1000000",
        "storm.messaging.netty.min_wait_ms, -1, of at least 0",
        "storm.messaging.netty.max_wait_ms, -1, of at least 0",
        "storm.messaging.netty.max_wait_ms, 200.5, of at least 0"
    })
    void shouldNameTheKeyTheValueAndWhatIsAllowed(String key, String value, String allowed) {
        Object parsed = value.matches("-?[0-9.]+") ? (Object) Double.valueOf(value) : value;
        assertThatThrownBy(() -> read(Map.of(key, parsed)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(key + " is '" + parsed + "': it must be a whole number " + allowed)
                .hasMessageNotContaining("\n");
    }

    private static MessengerOptions read(Map<String, Object> conf) {
        return MessengerOptions.of(conf, SELF, Credentials.NONE);
    }
}
