package io.updraft.cluster.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.transport.Address;
import io.updraft.transport.TransportException;
import io.updraft.transport.TransportNames;
import io.updraft.transport.security.Credentials;
import io.updraft.transport.session.MessengerOptions;
import io.updraft.transport.session.PeerIdentity;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** If one of two transports cannot be opened, none stays open. */
final class MessengersTest {

    private final int before = CountedProvider.OPEN.get();

    @Test
    void shouldCloseEachTransport() throws Exception {
        Messengers both = Messengers.open(options("netty", Map.of()));
        assertThat(CountedProvider.OPEN).hasValue(before + 1);
        both.close();
        assertThat(CountedProvider.OPEN).hasValue(before);
    }

    @Test
    void shouldOpenNothingWhenASettingOfSessionsMakesNoSense() {
        assertThatThrownBy(() -> Messengers.open(options("netty", Map.of(MessengerOptions.HEARTBEAT, 1))))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining(MessengerOptions.HEARTBEAT + " is '1'");
        assertThat(CountedProvider.OPEN).hasValue(before);
    }

    @Test
    void shouldCloseTheRemoteTransportWhenThereIsNoLocalOne() {
        assertThatThrownBy(() -> Messengers.open(options("pigeons", Map.of()))).isInstanceOf(TransportException.class);
        assertThat(CountedProvider.OPEN).hasValue(before);
    }

    @Test
    void shouldCloseATransportOfWhichNothingCanBeLearned() {
        assertThatThrownBy(() -> Messengers.open(options("netty", Map.of(CountedProvider.BROKEN, true))))
                .isInstanceOf(LinkageError.class);
        assertThat(CountedProvider.OPEN).hasValue(before);
    }

    private static LinkOptions options(String local, Map<String, Object> more) {
        Map<String, Object> conf = new HashMap<>(more);
        conf.put(TransportNames.LOCAL, local);
        conf.put(TransportNames.REMOTE, CountedProvider.NAME);
        return new LinkOptions(
                conf, new PeerIdentity("words-1", 0, 1), Credentials.NONE, "127.0.0.1", new Address("127.0.0.1", 0));
    }
}
