package io.updraft.transport;

/**
 * The address on which a peer listens.
 *
 * @param host a host name or literal IP address
 * @param port a port; 0 to let the system choose one when binding
 */
public record Address(String host, int port) {

    private static final int MOST = 65_535;

    /**
     * Creates an address.
     *
     * @param host a host name or literal IP address
     * @param port a port, or 0
     * @throws IllegalArgumentException when the host is empty or the port is out of range
     */
    public Address {
        if (host == null || host.isBlank()) {
            throw new IllegalArgumentException("an address must have a host");
        }
        if (port < 0 || port > MOST) {
            throw new IllegalArgumentException("port " + port + " of " + host + ": a port must be from 0 to " + MOST);
        }
    }

    @Override
    public String toString() {
        return host.indexOf(':') < 0 ? host + ":" + port : "[" + host + "]:" + port;
    }
}
