package io.updraft.transport;

import java.util.Map;

/**
 * Which transports carry what goes between workers.
 *
 * @param local the name of the one between workers of one host
 * @param remote the name of the one between workers of different hosts
 */
public record TransportNames(String local, String remote) {

    /** The transport between workers of one host, by its name; default {@value #DEFAULT}. */
    public static final String LOCAL = "updraft.transport.local";

    /** The transport between workers of different hosts, by its name; default the same as the local one. */
    public static final String REMOTE = "updraft.transport.remote";

    /** The transport that is used if nobody says another. */
    public static final String DEFAULT = "netty";

    /**
     * Reads a configuration.
     *
     * @param conf the configuration
     * @return the names; whether there are such transports is not looked at
     */
    public static TransportNames of(Map<String, Object> conf) {
        ConfReader reader = new ConfReader(conf);
        String local = reader.text(LOCAL).orElse(DEFAULT);
        return new TransportNames(local, reader.text(REMOTE).orElse(local));
    }

    /** {@return whether the local one is another one than the remote one} */
    public boolean areTwo() {
        return !local.equals(remote);
    }
}
