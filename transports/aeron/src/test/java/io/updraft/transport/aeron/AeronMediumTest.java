package io.updraft.transport.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.transport.Address;
import io.updraft.transport.TransportOptions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The lengths of datagrams to this host and to other hosts. */
final class AeronMediumTest {

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "127.1.2.3", "localhost", "::1"})
    void shouldSendLongDatagramsOverLoopback(String host) {
        assertThat(uri(host, Map.of())).endsWith("|mtu=16384");
    }

    @ParameterizedTest
    @ValueSource(strings = {"192.0.2.7", "localhost.example.org", "2001:db8::1"})
    void shouldNotSendLongDatagramsOverANetwork(String host) {
        assertThat(uri(host, Map.of())).doesNotContain("mtu");
    }

    @Test
    void shouldSendDatagramsOfTheLengthThatWasChosen() {
        assertThat(uri("127.0.0.1", Map.of(AeronProvider.MTU, 8_192))).endsWith("|mtu=8192");
    }

    @Test
    void shouldSendNoDatagramsLongerThanAnEighthOfATerm() {
        assertThat(uri("127.0.0.1", Map.of(TransportOptions.BUFFER_SIZE, 65_536)))
                .contains("term-length=65536")
                .endsWith("|mtu=8192");
    }

    private static String uri(String host, Map<String, Object> conf) {
        AeronSettings settings = AeronSettings.of(TransportOptions.of(conf));
        return new AeronMedium(false, settings.termBytes(), settings.loopbackMtu())
                .publicationUri(new Address(host, 4_711));
    }
}
