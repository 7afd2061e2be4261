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

    /**
     * What to tell of a service that listens, and what to beware of.
     *
     * @param authenticated whether whoever connects shows a password or certificate
     * @param users who of this host is answered, null for whoever can connect
     */
    static String told(String service, InetSocketAddress address, boolean authenticated, String users) {
        String host = address.getAddress().isLoopbackAddress()
                ? "localhost"
                : address.getAddress().getHostAddress();
        return "updraft: " + service + " listens on " + host + ":" + address.getPort()
                + whoIsAnswered(authenticated, users);
    }

    private static String whoIsAnswered(boolean authenticated, String users) {
        if (users != null) {
            return " for " + users;
        }
        return authenticated ? "" : "; beware: nobody is authenticated, so whoever can connect can run code here";
    }
}
