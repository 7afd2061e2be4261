package io.updraft.cli;

import io.updraft.console.access.UiSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** The options of the console. */
final class UiOptions {
    @Option(
            names = "--ui-port",
            paramLabel = "PORT",
            description = "Serve the console on this port (0: any free port). Default: the first free port from 8080 to"
                    + " 8179.")
    private Integer port;

    @Option(names = "--no-ui", description = "Serve no console.")
    private boolean none;

    @Option(
            names = "--ui-host",
            paramLabel = "HOST",
            description = "Address of this host on which the console is served. On another address than localhost,"
                    + " clients need a token, which the run prints, or a password. Default: localhost.")
    private String host;

    @Option(
            names = UiSettings.USERS,
            paramLabel = "USERS",
            split = ",",
            description = "Local users who may use the console on localhost, besides you and root: user names, or * for"
                    + " every user. Default: none.")
    private List<String> users = new ArrayList<>();

    @Option(
            names = UiSettings.NAME,
            paramLabel = "NAME",
            description = "Another name of this host in addresses of the console, such as that of a proxy. May be"
                    + " repeated.")
    private List<String> names = new ArrayList<>();

    @Option(names = UiSettings.READ_ONLY, description = "The console shows the run, and changes nothing.")
    private boolean readOnly;

    @Option(
            names = "--ui-cert",
            paramLabel = "FILE",
            description = "Serve the console by TLS, with this certificate chain in PEM.")
    private Path certificate;

    @Option(names = "--ui-key", paramLabel = "FILE", description = "Private key of --ui-cert, in PKCS#8 and PEM.")
    private Path key;

    /** Returns what is wrong with the combination of these options; null if nothing is. */
    String complaint() {
        if (none && isExplicit()) {
            return "--no-ui cannot be combined with other options of the console";
        }
        if ((certificate == null) != (key == null)) {
            return "--ui-cert and --ui-key need each other";
        }
        return null;
    }

    private boolean isExplicit() {
        return port != null
                || host != null
                || !users.isEmpty()
                || !names.isEmpty()
                || readOnly
                || certificate != null
                || key != null;
    }

    UiSettings settings() {
        // Checks the numbers.
        ServicePortOptions.of("--ui-port", null, port);
        return new UiSettings(!none, isExplicit(), port, host, users, names, readOnly, certificate, key);
    }
}
