package io.updraft.console.access;

import io.updraft.http.HttpAnswer;
import io.updraft.http.HttpQuery;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/**
 * The names of this host in addresses of the console. A request with another name comes from a page whose owner has directed
 * its own name to this host, to read the console as if it were a part of the page (DNS rebinding).
 */
final class HostNames {
    private static final int MISDIRECTED = 421;
    private static final int MAX_SHOWN = 100;

    private final Set<String> names = new HashSet<>(Set.of("localhost", "127.0.0.1", "[::1]"));

    /** Finds the names for a port on an address. The configured host may be null. */
    HostNames(UiSettings settings, InetAddress address) {
        settings.names().forEach(this::add);
        if (settings.host() != null) {
            add(settings.host());
        }
        if (!address.isLoopbackAddress()) {
            add(ownName());
        }
    }

    private void add(String name) {
        names.add(name.toLowerCase(Locale.ROOT));
    }

    /** Returns the name of this host, or its address if it has none. */
    static String ownName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return InetAddress.getLoopbackAddress().getHostAddress();
        }
    }

    /** Returns the answer to a request with another name; null if the name is right. */
    HttpAnswer refusal(HttpQuery query) {
        String name = withoutPort(query.header("Host")).toLowerCase(Locale.ROOT);
        return names.contains(name) || isAddress(name, query.local())
                ? null
                : HttpAnswer.text(
                        MISDIRECTED,
                        "the console does not know the host name '" + AuditLog.shortened(name, MAX_SHOWN) + "'; "
                                + UiSettings.NAME + " NAME adds a name\n");
    }

    private static String withoutPort(String host) {
        return host.replaceFirst(":\\d{0,5}$", "");
    }

    /** Returns whether a host is the number of the address to which the client has connected. */
    private static boolean isAddress(String host, InetSocketAddress local) {
        if (!host.startsWith("[")) {
            return host.equals(local.getAddress().getHostAddress());
        }
        try {
            // The brackets make this a number; no name is resolved.
            return InetAddress.getByName(host).equals(local.getAddress());
        } catch (UnknownHostException e) {
            return false;
        }
    }
}
