package io.updraft.transport.security;

import io.updraft.transport.ConfReader;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/**
 * What Storm's settings for digest authentication between workers come to here: the payload is the secret, which both sides
 * prove to know by HMAC, where Storm lets them prove it by SASL's DIGEST-MD5. Storm has no Kerberos between workers.
 */
public final class SecurityConf {

    /** Whether workers must prove that they belong to the topology, as Storm names it; default false. */
    public static final String AUTHENTICATION = "storm.messaging.netty.authentication";

    /** The secret of a topology, as Storm names it; at least 16 bytes. Used whenever it is there. */
    public static final String PAYLOAD = "storm.zookeeper.topology.auth.payload";

    /** The secret of a topology whose workers Supervisors launch; at least 16 bytes. Nimbus makes it at the submission. */
    public static final String SECRET = "updraft.topology.secret";

    private SecurityConf() {}

    /**
     * Reads the secret.
     *
     * @param conf the configuration of the topology
     * @return the secret, or none
     * @throws IllegalArgumentException when it is too short, or there is none and authentication is demanded; the message is
     *     one line for people and does not have the secret
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
                throw new IllegalArgumentException(
                        AUTHENTICATION + " is true, but there is no " + PAYLOAD
                                + ": set it to a secret of at least 16 bytes, the same for all workers; workers know no Kerberos");
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
                    key + ", by which workers know each other: " + e.getMessage()
                            + "; leave it out, and a good one is made for each topology",
                    e);
        }
    }
}
