package io.updraft.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.transport.session.MessengerOptions;
import io.updraft.transport.session.PeerIdentity;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.storm.Config;
import org.junit.jupiter.api.Test;

/** The messaging options of a configuration. */
final class MessagingSettingsTest {

    private static final PeerIdentity SELF = new PeerIdentity("t", 1, 1);

    @Test
    void shouldBearTenSecondsOfSilenceWhateverTheHeartbeat() {
        assertThat(silenceSeconds(Map.of())).isEqualTo(10);
        assertThat(silenceSeconds(Map.of(MessengerOptions.HEARTBEAT, 500))).isEqualTo(10);
        assertThat(silenceSeconds(Map.of(MessengerOptions.HEARTBEAT, 20_000))).isEqualTo(40);
    }

    @Test
    void shouldBearTheSilenceThatTheConfigurationSays() {
        assertThat(silenceSeconds(Map.of(MessengerOptions.SILENCE, 4_000))).isEqualTo(4);
        Map<String, Object> withoutValue = new HashMap<>();
        withoutValue.put(MessengerOptions.SILENCE, null);
        assertThat(silenceSeconds(withoutValue)).isEqualTo(10);
        Map<String, Object> tooShort = Map.of(MessengerOptions.SILENCE, 999);
        assertThatThrownBy(() -> silenceSeconds(tooShort)).hasMessageContaining("'999'");
    }

    @Test
    void shouldHintAtTheSecretWhereThereIsNone() {
        String payload = Config.STORM_ZOOKEEPER_TOPOLOGY_AUTH_PAYLOAD;
        assertThat(MessagingSettings.hint(Map.of())).contains(payload);
        assertThat(MessagingSettings.hint(Map.of(payload, ""))).contains(payload);
        assertThat(MessagingSettings.hint(Map.of(payload, "-4242424242424242:1717171717171717")))
                .isEmpty();
    }

    private static long silenceSeconds(Map<String, Object> conf) {
        return TimeUnit.NANOSECONDS.toSeconds(
                MessagingSettings.options(conf, SELF).silenceNanos());
    }
}
