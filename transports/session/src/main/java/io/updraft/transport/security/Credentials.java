package io.updraft.transport.security;

import java.util.Arrays;
import java.util.Optional;

/**
 * The secret that the workers of one topology share. Immutable.
 *
 * @param secret the secret; empty for none, which is refused where other hosts could connect
 */
public record Credentials(Optional<byte[]> secret) {

    private static final int LEAST_BYTES = 16;

    /** No secret: every peer that can connect is trusted. */
    public static final Credentials NONE = new Credentials(Optional.empty());

    /**
     * Creates credentials with a secret.
     *
     * @param secret at least 16 bytes
     * @return credentials
     * @throws IllegalArgumentException when the secret is too short
     */
    public static Credentials of(byte[] secret) {
        if (secret.length < LEAST_BYTES) {
            throw new IllegalArgumentException(
                    "the secret has " + secret.length + " bytes: it must have at least " + LEAST_BYTES);
        }
        return new Credentials(Optional.of(secret.clone()));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Credentials that && Arrays.equals(secret.orElse(null), that.secret.orElse(null));
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(secret.orElse(null));
    }

    /** Does not show the secret. */
    @Override
    public String toString() {
        return secret.isPresent() ? "a shared secret" : "no secret";
    }
}
