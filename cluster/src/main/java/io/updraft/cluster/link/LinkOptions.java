package io.updraft.cluster.link;

import io.updraft.transport.Address;
import io.updraft.transport.TransportNames;
import io.updraft.transport.TransportOptions;
import io.updraft.transport.security.Credentials;
import io.updraft.transport.session.MessengerOptions;
import io.updraft.transport.session.PeerIdentity;
import java.util.Map;

/**
 * The options of a worker's link to the other workers.
 *
 * @param conf the whole configuration
 * @param self the number and the incarnation of this worker
 * @param credentials the secrets by which the workers authenticate each other
 * @param host the name of this host; workers that give the same name are reached over the local transport
 * @param at the address to listen on; with port 0 the system chooses the port. If there are two transports, this address is for
 *     the remote one, and the local one listens on loopback
 */
public record LinkOptions(
        Map<String, Object> conf, PeerIdentity self, Credentials credentials, String host, Address at) {
    /**
     * Checks the options of the link in a configuration, without opening anything.
     *
     * @param conf the whole configuration
     * @throws IllegalArgumentException when a value is invalid; the message names the key, the value and the allowed values
     */
    public static void check(Map<String, Object> conf) {
        TransportNames.of(conf);
        TransportOptions.of(conf);
        TransportOptions.frameBytes(conf);
        MessengerOptions.of(conf, new PeerIdentity("", 0, 0), Credentials.NONE);
    }

    int frameBytes() {
        return TransportOptions.frameBytes(conf);
    }
}
