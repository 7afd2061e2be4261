package io.updraft.console.access;

import io.updraft.http.HttpFilter;
import io.updraft.http.HttpPort;
import io.updraft.http.HttpRoute;
import io.updraft.http.HttpSite;
import io.updraft.http.PortCertificate;
import io.updraft.storm.thrift.AllowedUsers;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Opens the port of the console. */
public final class ConsolePorts {
    /** The port that is tried first. */
    public static final int FIRST = 8080;

    /** The port that is tried last. */
    public static final int LAST = 8179;

    private final UiSettings settings;
    private final InetAddress address;
    private final PortCertificate certificate;

    /** Null if passwords or the users of this host decide. */
    private final String token;

    private final boolean passwords;
    private final HttpFilter access;

    private ConsolePorts(UiSettings settings, Map<String, Object> conf) throws IOException {
        this.settings = settings;
        address = address(settings.host());
        certificate =
                settings.certificate() == null ? null : PortCertificate.read(settings.certificate(), settings.key());
        LocalPeers peers = new LocalPeers(Path.of("/etc/passwd"));
        FailureLimit failures = new FailureLimit(System::nanoTime);
        Optional<ClientCheck> byPassword = PasswordCheck.of(conf, failures, peers);
        passwords = byPassword.isPresent();
        boolean local = address.isLoopbackAddress();
        if (!settings.users().isEmpty() && (passwords || !local)) {
            throw new IOException(UiSettings.USERS + " is for a console on localhost without passwords");
        }
        token = passwords || local ? null : TokenCheck.newToken();
        ClientCheck clients;
        if (passwords) {
            clients = byPassword.get();
        } else if (local) {
            clients = new LocalUserCheck(users(), peers);
        } else {
            clients = new TokenCheck(token, certificate != null, failures, peers);
        }
        access = new ConsoleAccess(
                new HostNames(settings, address),
                clients,
                new SiteCheck(certificate != null),
                settings.readOnly(),
                new AuditLog(System::nanoTime));
    }

    /**
     * Opens the port of the console.
     *
     * @param settings where it listens, and for whom
     * @param conf the configuration that may name a file with passwords ({@code java.security.auth.login.config})
     * @param routes the pages by path
     * @param lines takes the lines for the user: the address, and warnings
     * @return the open port; empty if there is no console
     * @throws IOException when a port that the operator asks for cannot be opened; the message is one line for users
     */
    public static Optional<HttpPort> open(
            UiSettings settings, Map<String, Object> conf, Map<String, HttpRoute> routes, Consumer<String> lines)
            throws IOException {
        if (!settings.enabled()) {
            return Optional.empty();
        }
        try {
            ConsolePorts ports = new ConsolePorts(settings, conf);
            HttpPort port = ports.open(new HttpSite(routes, ports.access, ports.certificate, HttpPort.LIMITS));
            ports.describe(port, lines);
            return Optional.of(port);
        } catch (IOException e) {
            if (settings.explicit()) {
                throw e;
            }
            lines.accept("updraft: warning: no console: " + e.getMessage());
            return Optional.empty();
        }
    }

    private static InetAddress address(String host) throws IOException {
        try {
            return host == null ? InetAddress.getLoopbackAddress() : InetAddress.getByName(host);
        } catch (UnknownHostException e) {
            throw new IOException("there is no host '" + host + "' for --ui-host", e);
        }
    }

    private AllowedUsers users() throws IOException {
        int port = settings.port() == null ? FIRST : settings.port();
        return AllowedUsers.of(
                Map.of(UiSettings.USERS, settings.users()),
                UiSettings.USERS,
                new InetSocketAddress(address, port),
                false);
    }

    private HttpPort open(HttpSite site) throws IOException {
        try {
            return openFirst(site);
        } catch (BindException e) {
            boolean always = address.isLoopbackAddress() || address.isAnyLocalAddress();
            if (always || NetworkInterface.getByInetAddress(address) != null) {
                throw e;
            }
            throw new IOException("this host does not have the address of --ui-host " + settings.host(), e);
        }
    }

    private HttpPort openFirst(HttpSite site) throws IOException {
        if (settings.port() != null) {
            return HttpPort.open(new InetSocketAddress(address, settings.port()), site);
        }
        for (int port = FIRST; port < LAST; port++) {
            try {
                return HttpPort.open(new InetSocketAddress(address, port), site);
            } catch (BindException e) {
                // Another process listens there, or this host does not have the address: the last port says so.
            }
        }
        return HttpPort.open(new InetSocketAddress(address, LAST), site);
    }

    private void describe(HttpPort port, Consumer<String> lines) {
        boolean local = address.isLoopbackAddress();
        String host = settings.host() == null ? "localhost" : settings.host();
        if (address.isAnyLocalAddress()) {
            host = HostNames.ownName();
        } else if (host.contains(":") && !host.startsWith("[")) {
            host = "[" + host + "]";
        }
        lines.accept("updraft: console: " + (certificate == null ? "http://" : "https://") + host + ":" + port.port()
                + "/" + (token == null ? "" : "?token=" + token));
        if (certificate == null && !local) {
            lines.accept("updraft: warning: everybody on the network between can read the console's "
                    + (passwords ? "passwords" : "token") + "; use --ui-cert and --ui-key");
        }
    }
}
