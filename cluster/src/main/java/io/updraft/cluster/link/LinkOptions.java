package io.updraft.cluster.link;

import io.updraft.engine.api.ErrorReport;
import io.updraft.transport.Address;
import io.updraft.transport.security.Credentials;
import io.updraft.transport.session.Peer;
import java.util.Map;
import java.util.function.Consumer;

/**
 * What a worker's link to the others needs to know.
 *
 * @param transport the transport's name
 * @param conf the whole configuration
 * @param self which worker this is
 * @param credentials by which the workers know each other
 * @param at where to listen; with port 0 the system chooses
 * @param onRefused hears of tuples that could not be sent, or not be read; must not block
 * @param onFailure hears that the link has failed for good, on its thread
 */
public record LinkOptions(
        String transport,
        Map<String, Object> conf,
        Peer self,
        Credentials credentials,
        Address at,
        Consumer<ErrorReport> onRefused,
        Consumer<Throwable> onFailure) {}
