package io.updraft.cli.run;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/** Addresses that are listened to. */
public final class Addresses {
    private static final int HIGHEST_PORT = 65_535;

    private Addresses() {}

    /**
     * Makes an address of what the command line says.
     *
     * @param option the option that names the port
     * @param host a name or address of this host; null for the loopback address
     * @param port the port
     * @return the address
     * @throws UserError when there is no such host or port
     */
    public static InetSocketAddress of(String option, String host, int port) {
        if (port < 0 || port > HIGHEST_PORT) {
            throw new UserError(
                    option + " must be from 0 (any that is free) to " + HIGHEST_PORT + ", not " + port, null);
        }
        try {
            InetAddress address = host == null ? InetAddress.getLoopbackAddress() : InetAddress.getByName(host);
            return new InetSocketAddress(address, port);
        } catch (UnknownHostException e) {
            throw new UserError("there is no host '" + host + "' to listen on for " + option, e);
        }
    }

    /** What to tell of a service that listens, and what to beware of. */
    static String told(String service, InetSocketAddress address) {
        return told(service, address, false);
    }

    /** The same of a service that knows who speaks to it. */
    static String told(String service, InetSocketAddress address, boolean authenticated) {
        String place = (address.getAddress().isLoopbackAddress()
                        ? "localhost"
                        : address.getAddress().getHostAddress())
                + ":" + address.getPort();
        return "updraft: " + service + " listens on " + place
                + (authenticated || address.getAddress().isLoopbackAddress()
                        ? ""
                        : "; beware: nobody is authenticated, so whoever can connect can run code here");
    }
}
