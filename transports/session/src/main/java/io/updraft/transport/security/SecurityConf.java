package io.updraft.transport.security;

import io.updraft.base.conf.ConfReader;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/**
 * Reads Storm's settings for digest authentication between workers. The payload is the secret. Both sides prove by HMAC that
 * they have it, where Storm uses SASL's DIGEST-MD5. Storm has no Kerberos between workers.
 */
public final class SecurityConf {

    /** Storm's key for whether workers must prove that they belong to the topology; default false. */
    public static final String AUTHENTICATION = "storm.messaging.netty.authentication";

    /** Storm's key for the secret of a topology; at least 16 bytes. Used whenever it is set and there is no {@link #SECRET}. */
    public static final String PAYLOAD = "storm.zookeeper.topology.auth.payload";

    /** The secret of a topology whose workers Supervisors launch; at least 16 bytes. Nimbus generates it at submission. */
    public static final String SECRET = "updraft.topology.secret";

    private SecurityConf() {}

    /**
     * Reads the secret.
     *
     * @param conf the configuration of the topology
     * @return the secret, or none
     * @throws IllegalArgumentException when the secret is too short, or there is none and authentication is required; the
     *     message is one line for people and does not contain the secret
     */
    public static Credentials credentials(Map<String, Object> conf) {
        ConfReader reader = new ConfReader(conf);
        Optional<String> secret = reader.text(SECRET);
        if (secret.isPresent()) {
            return credentials(SECRET, secret.get());
        }
        Optional<String> payload = reader.text(PAYLOAD);
        if (payload.isEmpty()) {
            if (reader.flag(AUTHENTICATION, false)) {
                throw new IllegalArgumentException(AUTHENTICATION + " is true, but " + PAYLOAD + " is not set"
                        + ": set it to a secret of at least 16 bytes, the same for all workers;"
                        + " Kerberos between workers is not supported");
            }
            return Credentials.NONE;
        }
        return credentials(PAYLOAD, payload.get());
    }

    private static Credentials credentials(String key, String secret) {
        try {
            return Credentials.of(secret.getBytes(StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    key + ", the secret shared by the workers: " + e.getMessage()
                            + "; set a longer one, or remove the key to have one generated for each topology",
                    e);
        }
    }
}
