package io.updraft.transport.security;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * How two peers prove over one channel that they know the same secret, without saying it.
 *
 * <p>Both have sent a hello, with a fresh nonce, who they are and in which {@link Role}. From the secret and both hellos a key
 * of this channel alone is derived, and each side proves that it has that key. HMAC-SHA256 (RFC 2104) serves for both:
 *
 * <pre>
 *   key   = HMAC(secret, label, length, connector's hello, length, listener's hello)
 *   proof = HMAC(key, role, credit)
 * </pre>
 *
 * <p>A proof that was recorded fits no other channel, because the nonce of whoever checks it was not there before; and a
 * peer's own proof sent back to it has the wrong role. The key encrypts nothing: privacy, and that nobody in between changes
 * what follows, are for TLS. Immutable.
 */
public final class ConnectionProof {

    /** Bytes of a proof where there is a secret; without one a proof is empty. */
    public static final int BYTES = 32;

    private static final String ALGORITHM = "HmacSHA256";
    private static final byte[] LABEL = "updraft session key, version 1".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] NOTHING = {};

    private final Optional<byte[]> key;

    /**
     * Derives the key of a channel.
     *
     * @param credentials what this side has
     * @param connectorHello the hello of the one that opened the channel, all bytes of it
     * @param listenerHello the hello of the other one, all bytes of it
     */
    public ConnectionProof(Credentials credentials, byte[] connectorHello, byte[] listenerHello) {
        key = credentials.secret().map(secret -> derive(secret, connectorHello, listenerHello));
    }

    /**
     * Proves.
     *
     * @param role who proves it
     * @param credit what it says with the proof
     * @return {@link #BYTES} bytes, or none without a secret
     */
    public byte[] by(Role role, long credit) {
        return key.map(bytes -> hmac(bytes, claim(role, credit))).orElse(NOTHING);
    }

    /**
     * Checks a proof, in a time that does not depend on how much of it is right.
     *
     * @param role who is to have proved it
     * @param credit what was said with it
     * @param proof the bytes that came
     * @return whether it is right
     */
    public boolean isBy(Role role, long credit, byte[] proof) {
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
