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
        Optional<String> payload = reader.text(PAYLOAD);
        if (payload.isEmpty()) {
            if (reader.flag(AUTHENTICATION, false)) {
                throw new IllegalArgumentException(
                        AUTHENTICATION + " is true, but there is no " + PAYLOAD
                                + ": set it to a secret of at least 16 bytes, the same for all workers; workers know no Kerberos");
            }
            return Credentials.NONE;
        }
        try {
            return Credentials.of(payload.get().getBytes(StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    PAYLOAD + ", by which workers know each other: " + e.getMessage()
                            + "; leave it out, and Storm makes a good one for each topology",
                    e);
        }
    }
}
