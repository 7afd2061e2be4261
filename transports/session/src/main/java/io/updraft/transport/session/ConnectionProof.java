package io.updraft.transport.session;

import io.updraft.transport.security.Credentials;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Proves over one channel that two peers have the same secret, without sending the secret.
 *
 * <p>Both peers have sent a hello with a fresh nonce, their identity and their {@link Role}. A key for this channel alone is
 * derived from the secret and both hellos, and each side proves that it has the key. HMAC-SHA256 (RFC 2104) serves for both:
 *
 * <pre>
 *   key   = HMAC(secret, label, length, connector's hello, length, listener's hello)
 *   proof = HMAC(key, role, credit)
 * </pre>
 *
 * <p>A recorded proof is not valid on another channel, because the checking side chooses a fresh nonce for each channel. A
 * peer's own proof sent back to it has the wrong role. The key encrypts nothing: TLS is needed for privacy and to keep an
 * intermediary from changing later messages. Immutable.
 */
final class ConnectionProof {

    /** Bytes of a proof if there is a secret; without a secret a proof is empty. */
    static final int BYTES = 32;

    private static final String ALGORITHM = "HmacSHA256";
    private static final byte[] LABEL = "updraft session key, version 1".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] NOTHING = {};

    private final Optional<byte[]> key;

    /** Derives the key of a channel from the hellos of the side that opened the channel and of the other side. */
    ConnectionProof(Credentials credentials, byte[] connectorHello, byte[] listenerHello) {
        key = credentials.secret().map(secret -> derive(secret, connectorHello, listenerHello));
    }

    /** Creates the proof of a side, and of the credit that it sends with the proof; empty without a secret. */
    byte[] by(Role role, long credit) {
        return key.map(bytes -> hmac(bytes, claim(role, credit))).orElse(NOTHING);
    }

    /** Checks a proof in constant time, so that the time does not reveal how many bytes are right. */
    boolean isBy(Role role, long credit, byte[] proof) {
        return MessageDigest.isEqual(by(role, credit), proof);
    }

    private static byte[] derive(byte[] secret, byte[] connectorHello, byte[] listenerHello) {
        ByteBuffer transcript =
                ByteBuffer.allocate(LABEL.length + 2 * Integer.BYTES + connectorHello.length + listenerHello.length);
        transcript.put(LABEL);
        transcript.putInt(connectorHello.length).put(connectorHello);
        transcript.putInt(listenerHello.length).put(listenerHello);
        return hmac(secret, transcript.array());
    }

    private static byte[] claim(Role role, long credit) {
        return ByteBuffer.allocate(1 + Long.BYTES)
                .put(role.code())
                .putLong(credit)
                .array();
    }

    private static byte[] hmac(byte[] key, byte[] text) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key, ALGORITHM));
            return mac.doFinal(text);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java has no " + ALGORITHM + ", which every Java must have", e);
        }
    }
}
