package io.updraft.cluster.link;

import io.updraft.engine.api.ErrorReport;
import io.updraft.transport.Address;
import io.updraft.transport.TransportNames;
import io.updraft.transport.TransportOptions;
import io.updraft.transport.security.Credentials;
import io.updraft.transport.session.MessengerOptions;
import io.updraft.transport.session.Peer;
import java.util.Map;
import java.util.function.Consumer;

/**
 * What a worker's link to the others needs to know.
 *
 * @param transports the transports to workers of this host and of others
 * @param conf the whole configuration
 * @param self which worker this is
 * @param credentials by which the workers know each other
 * @param host the name of this host; workers that give the same one are reached over the local transport
 * @param at where to listen; with port 0 the system chooses. If there are two transports this is for the remote one, and the
 *     local one listens on loopback
 * @param onRefused hears of tuples that could not be sent, or not be read; must not block
 * @param onFailure hears that the link has failed for good, on its thread
 */
public record LinkOptions(
        TransportNames transports,
        Map<String, Object> conf,
        Peer self,
        Credentials credentials,
        String host,
        Address at,
        Consumer<ErrorReport> onRefused,
        Consumer<Throwable> onFailure) {

    /**
     * Checks what a configuration says about the link, without opening anything.
     *
     * @param conf the whole configuration
     * @throws IllegalArgumentException when a value makes no sense; the message names the key, the value and what is allowed
     */
    public static void check(Map<String, Object> conf) {
        TransportNames.of(conf);
        TransportOptions.of(conf);
        TransportOptions.frameBytes(conf);
        MessengerOptions.of(conf, new Peer("", 0, 0), Credentials.NONE);
    }

    MessengerOptions messengerOptions() {
        return MessengerOptions.of(conf, self, credentials);
    }

    int frameBytes() {
        return TransportOptions.frameBytes(conf);
    }
}
