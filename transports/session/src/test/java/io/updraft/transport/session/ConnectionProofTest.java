package io.updraft.transport.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.transport.security.Credentials;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

final class ConnectionProofTest {

    private static final Credentials SECRET = Credentials.of("0123456789abcdef".getBytes(StandardCharsets.US_ASCII));
    private static final byte[] ONE = {1, 2, 3};
    private static final byte[] TWO = {4, 5};

    private final ConnectionProof proof = new ConnectionProof(SECRET, ONE, TWO);

    @Test
    void shouldAgreeWithAPeerThatHasTheSameSecret() {
        ConnectionProof peers = new ConnectionProof(SECRET, ONE, TWO);
        assertThat(peers.isBy(Role.CONNECTOR, 7, proof.by(Role.CONNECTOR, 7))).isTrue();
        assertThat(peers.isBy(Role.LISTENER, 7, proof.by(Role.LISTENER, 7))).isTrue();
    }

    /** Computed with Python's hmac module, so that a change of the protocol does not go unnoticed. */
    @Test
    void shouldBeTheHmacOfRoleAndCreditUnderTheKeyOfTheChannel() {
        assertThat(HexFormat.of().formatHex(proof.by(Role.CONNECTOR, 4096)))
                .isEqualTo("1ad607e93d77bf829e080a122ba20651be60634f08733b954c038c94ce6d941b");
    }

    @Test
    void shouldBeBoundToAllThatWasSaid() {
        byte[] right = proof.by(Role.CONNECTOR, 7);
        assertThat(proof.isBy(Role.LISTENER, 7, right)).isFalse();
        assertThat(proof.isBy(Role.CONNECTOR, 8, right)).isFalse();
        assertThat(new ConnectionProof(SECRET, TWO, ONE).isBy(Role.CONNECTOR, 7, right))
                .isFalse();
        // The same bytes, divided in another way.
        byte[] three = {1, 2, 3, 4};
        byte[] four = {5};
        assertThat(new ConnectionProof(SECRET, three, four).isBy(Role.CONNECTOR, 7, right))
                .isFalse();
    }

    @Test
    void shouldTakeNoProofOfAnotherLength() {
        assertThat(proof.isBy(Role.CONNECTOR, 7, new byte[0])).isFalse();
        assertThat(new ConnectionProof(Credentials.NONE, ONE, TWO).isBy(Role.CONNECTOR, 7, new byte[32]))
                .isFalse();
    }
}
