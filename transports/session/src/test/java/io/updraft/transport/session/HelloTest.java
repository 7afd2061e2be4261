package io.updraft.transport.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

final class HelloTest {

    private static final int LENGTH_AT = 61;

    private final byte[] nonce = new byte[Hello.NONCE_BYTES];

    @Test
    void shouldReadWhatItWrote() throws SessionProtocolException {
        Arrays.fill(nonce, (byte) 7);
        Hello hello =
                new Hello(Role.LISTENER, Hello.HMAC_SHA256, nonce, new PeerIdentity("Wörter-1", -3, Long.MIN_VALUE), 9);
        Hello read = decode(hello.encode());
        assertThat(read.role()).isEqualTo(Role.LISTENER);
        assertThat(read.method()).isEqualTo(Hello.HMAC_SHA256);
        assertThat(read.nonce()).isEqualTo(nonce);
        assertThat(read.peer()).isEqualTo(hello.peer());
        assertThat(read.channel()).isEqualTo(9);
    }

    /** Byte by byte, so that a change of the layout does not go unnoticed: it needs a new version. */
    @Test
    void shouldKeepItsLayout() {
        byte[] bytes = new Hello(Role.CONNECTOR, Hello.NO_PROOF, nonce, new PeerIdentity("t", 2, 3), 4).encode();
        byte[] expected = new byte[64];
        byte[] start = {1, 'U', 'P', 'D', 'R', 0, 1, 1, 0};
        System.arraycopy(start, 0, expected, 0, start.length);
        expected[44] = 2;
        expected[52] = 3;
        expected[60] = 4;
        expected[62] = 1;
        expected[63] = 't';
        assertThat(bytes).isEqualTo(expected);
    }

    @Test
    void shouldRefuseEveryOtherLength() {
        byte[] bytes = new Hello(Role.LISTENER, Hello.NO_PROOF, nonce, new PeerIdentity("topology", 2, 3), 4).encode();
        for (int length = 1; length < bytes.length + 10; length++) {
            byte[] other = Arrays.copyOf(bytes, length);
            if (length != bytes.length) {
                assertThatThrownBy(() -> decode(other))
                        .as("%d bytes", length)
                        .isInstanceOf(SessionProtocolException.class);
            }
        }
    }

    @Test
    void shouldRefuseATopologyIdThatIsNotAsLongAsItSays() {
        PeerIdentity longest = new PeerIdentity("t".repeat(MessengerOptions.MAX_TOPOLOGY_ID_BYTES), 1, 1);
        byte[] bytes = new Hello(Role.LISTENER, Hello.NO_PROOF, nonce, longest, 0).encode();
        bytes[LENGTH_AT] = 3;
        assertThatThrownBy(() -> decode(bytes)).hasMessageContaining("a topology id of 768 bytes, more than 512");
    }

    @Test
    void shouldRefuseATopologyIdThatIsNoText() {
        byte[] bytes = new Hello(Role.LISTENER, Hello.NO_PROOF, nonce, new PeerIdentity("t", 1, 1), 0).encode();
        bytes[bytes.length - 1] = (byte) 0xFF;
        assertThatThrownBy(() -> decode(bytes)).hasMessageContaining("not UTF-8");
    }

    private static Hello decode(byte[] bytes) throws SessionProtocolException {
        return Hello.decode(ByteBuffer.wrap(bytes, 1, bytes.length - 1), Role.LISTENER);
    }
}
