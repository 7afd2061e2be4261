package io.updraft.transport;

import io.updraft.base.conf.ConfReader;
import java.util.Map;

/**
 * The names of the transports between workers.
 *
 * @param local the name of the transport between workers of one host
 * @param remote the name of the transport between workers of different hosts
 */
public record TransportNames(String local, String remote) {

    /** Name of the transport between workers of one host; default {@value #DEFAULT}. */
    public static final String LOCAL = "updraft.transport.local";

    /** Name of the transport between workers of different hosts; default the same as the local one. */
    public static final String REMOTE = "updraft.transport.remote";

    /** The default transport. */
    public static final String DEFAULT = "netty";

    /**
     * Reads a configuration.
     *
     * @param conf the configuration
     * @return the names; this method does not check that such transports exist
     */
    public static TransportNames of(Map<String, Object> conf) {
        ConfReader reader = new ConfReader(conf);
        String local = reader.text(LOCAL).orElse(DEFAULT);
        return new TransportNames(local, reader.text(REMOTE).orElse(local));
    }

    /** {@return whether the local and the remote transport differ} */
    public boolean areTwo() {
        return !local.equals(remote);
    }
}
