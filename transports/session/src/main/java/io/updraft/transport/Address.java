package io.updraft.transport;

import java.net.Inet6Address;
import java.net.InetAddress;

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

    /**
     * {@return an address that only processes of this host reach: 127.0.0.1, or ::1 on a host without it}
     *
     * @param port a port, or 0
     */
    public static Address loopback(int port) {
        return new Address(InetAddress.getLoopbackAddress() instanceof Inet6Address ? "::1" : "127.0.0.1", port);
    }

    @Override
    public String toString() {
        return host.indexOf(':') < 0 ? host + ":" + port : "[" + host + "]:" + port;
    }
}
