package io.updraft.cli;

import io.updraft.cli.run.Addresses;
import io.updraft.cli.run.ServiceAddresses;
import io.updraft.storm.DrpcPorts;
import io.updraft.storm.NimbusPort;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;

/** The options of {@code run} that open ports. */
final class ServiceOptions {
    private static final int STORMS_INVOCATIONS_PORT = 3773;

    @Option(
            names = "--nimbus-port",
            paramLabel = "PORT",
            description =
                    "Be a Nimbus on this port (Storm's is 6627): Storm's clients submit, steer and watch topologies"
                            + " here, until Ctrl-C. The program may be left out.")
    private Integer nimbusPort;

    @Option(
            names = "--nimbus-host",
            paramLabel = "HOST",
            description = "The address of this host on which the port is opened; whoever can connect can run code here."
                    + " Default: localhost.")
    private String nimbusHost;

    @Option(
            names = "--nimbus-users",
            paramLabel = "USERS",
            split = ",",
            description =
                    "Who of this host may connect to the port beside you and root: names of users, or * for whoever can."
                            + " Default on localhost: nobody; with --nimbus-host: whoever can.")
    private List<String> nimbusUsers;

    @Option(
            names = "--drpc-port",
            paramLabel = "PORT",
            description =
                    "Be a DRPC server on this port (Storm's is 3772), for DRPCClient and for topologies as they run"
                            + " on a cluster.")
    private Integer drpcPort;

    @Option(
            names = "--drpc-invocations-port",
            paramLabel = "PORT",
            description = "Where the topologies of this run find it. Default: 3773, as Storm's.")
    private Integer invocationsPort;

    @Option(
            names = "--drpc-http-port",
            paramLabel = "PORT",
            description = "The same by HTTP on this port (Storm's is 3774): GET /drpc/<function>/<arguments>.")
    private Integer httpPort;

    @Option(
            names = "--drpc-host",
            paramLabel = "HOST",
            description = "The address of this host on which DRPC's ports are opened; nobody is authenticated. Default:"
                    + " localhost.")
    private String drpcHost;

    @Option(
            names = "--drpc-users",
            paramLabel = "USERS",
            split = ",",
            description = "Who may connect to the ports of DRPC, as --nimbus-users says it for Nimbus.")
    private List<String> drpcUsers;

    /** Whether topologies can come from clients. */
    boolean takesSubmissions() {
        return nimbusPort != null;
    }

    /** What is wrong with these options together, null if nothing is. */
    String complaint() {
        if (nimbusPort == null && (nimbusHost != null || nimbusUsers != null)) {
            return "--nimbus-host and --nimbus-users are for a Nimbus: say --nimbus-port PORT too";
        }
        if (drpcPort == null
                && (drpcHost != null || httpPort != null || invocationsPort != null || drpcUsers != null)) {
            return "--drpc-host, --drpc-users, --drpc-http-port and --drpc-invocations-port are for DRPC: say --drpc-port PORT"
                    + " too";
        }
        return null;
    }

    /** Where to listen. */
    ServiceAddresses addresses() {
        int invocations = invocationsPort == null ? STORMS_INVOCATIONS_PORT : invocationsPort;
        return new ServiceAddresses(
                of("--nimbus-port", nimbusHost, nimbusPort),
                of("--drpc-port", drpcHost, drpcPort),
                drpcPort == null ? null : of("--drpc-invocations-port", drpcHost, invocations),
                of("--drpc-http-port", drpcHost, httpPort),
                users());
    }

    private Map<String, Object> users() {
        Map<String, Object> users = new HashMap<>();
        if (nimbusUsers != null) {
            users.put(NimbusPort.USERS, nimbusUsers);
        }
        if (drpcUsers != null) {
            users.put(DrpcPorts.USERS, drpcUsers);
        }
        return users;
    }

    private static InetSocketAddress of(String option, String host, Integer port) {
        return port == null ? null : Addresses.of(option, host, port);
    }
}
