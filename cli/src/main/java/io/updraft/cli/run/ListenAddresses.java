package io.updraft.cli.run;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/** Addresses of the ports on which this process listens. */
public final class ListenAddresses {
    private static final int MAX_PORT = 65_535;

    private ListenAddresses() {}

    /**
     * Creates an address from the values on the command line.
     *
     * @param option the option that names the port
     * @param host a name or address of this host; null means the loopback address
     * @param port the port
     * @return the address
     * @throws UserError when there is no such host or port
     */
    public static InetSocketAddress of(String option, String host, int port) {
        if (port < 0 || port > MAX_PORT) {
            throw new UserError(option + " must be from 0 (any free port) to " + MAX_PORT + ", not " + port, null);
        }
        try {
            InetAddress address = host == null ? InetAddress.getLoopbackAddress() : InetAddress.getByName(host);
            return new InetSocketAddress(address, port);
        } catch (UnknownHostException e) {
            throw new UserError("there is no host '" + host + "' for " + option, e);
        }
    }

    /**
     * Returns the line that reports a listening service, with a warning if clients are not authenticated.
     *
     * @param authenticated whether clients must show a password or certificate
     * @param users the local users who may connect; null if every client may
     */
    static String listenLine(String service, InetSocketAddress address, boolean authenticated, String users) {
        String host = address.getAddress().isLoopbackAddress()
                ? "localhost"
                : address.getAddress().getHostAddress();
        return "updraft: " + service + " listens on " + host + ":" + address.getPort()
                + admittedClients(authenticated, users);
    }

    private static String admittedClients(boolean authenticated, String users) {
        if (users != null) {
            return " for " + users;
        }
        return authenticated ? "" : "; warning: clients are not authenticated; anyone who connects can run code here";
    }
}
