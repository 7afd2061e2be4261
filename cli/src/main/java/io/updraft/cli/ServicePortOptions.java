package io.updraft.cli;

import io.updraft.base.exit.UserError;
import io.updraft.cli.run.ServiceAddresses;
import io.updraft.storm.NimbusPort;
import io.updraft.storm.drpc.DrpcPorts;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;

/** The options of {@code run} that open the ports for Nimbus clients and for DRPC. */
final class ServicePortOptions {
    private static final int STORMS_INVOCATIONS_PORT = 3773;
    private static final int MAX_PORT = 65_535;

    @Option(
            names = "--nimbus-port",
            paramLabel = "PORT",
            description = "Listen as a Nimbus on this port (Storm's is 6627; 0: any free port). Storm's clients can"
                    + " submit and manage topologies here until Ctrl-C. PROGRAM is then optional. Default: no port.")
    private Integer nimbusPort;

    @Option(
            names = "--nimbus-host",
            paramLabel = "HOST",
            description = "Address of this host on which Nimbus listens. Without authentication, anyone who can connect"
                    + " can run code here. Default: localhost.")
    private String nimbusHost;

    @Option(
            names = "--nimbus-users",
            paramLabel = "USERS",
            split = ",",
            description = "Local users who may connect to Nimbus, besides you and root: user names, or * for every"
                    + " user. Default: none on localhost; with another --nimbus-host, every client.")
    private List<String> nimbusUsers;

    @Option(
            names = "--drpc-port",
            paramLabel = "PORT",
            description = "Listen as a DRPC server on this port (Storm's is 3772), for DRPCClient and for topologies"
                    + " that use DRPC as on a cluster. Default: no port.")
    private Integer drpcPort;

    @Option(
            names = "--drpc-invocations-port",
            paramLabel = "PORT",
            description = "Port on which the topologies of this run fetch DRPC requests. Default: 3773.")
    private Integer invocationsPort;

    @Option(
            names = "--drpc-http-port",
            paramLabel = "PORT",
            description = "Serve DRPC over HTTP on this port, too (Storm's is 3774): GET /drpc/<function>/<arguments>."
                    + " Default: no port.")
    private Integer httpPort;

    @Option(
            names = "--drpc-host",
            paramLabel = "HOST",
            description = "Address of this host on which the DRPC ports listen. DRPC over HTTP never authenticates"
                    + " clients. Default: localhost.")
    private String drpcHost;

    @Option(
            names = "--drpc-users",
            paramLabel = "USERS",
            split = ",",
            description = "Local users who may connect to the DRPC ports. Values and default: as for --nimbus-users.")
    private List<String> drpcUsers;

    boolean takesSubmissions() {
        return nimbusPort != null;
    }

    /** Returns what is wrong with the combination of these options; null if nothing is. */
    String complaint() {
        if (nimbusPort == null && (nimbusHost != null || nimbusUsers != null)) {
            return "--nimbus-host and --nimbus-users need a Nimbus: add --nimbus-port PORT";
        }
        if (drpcPort == null
                && (drpcHost != null || httpPort != null || invocationsPort != null || drpcUsers != null)) {
            return "--drpc-host, --drpc-users, --drpc-http-port and --drpc-invocations-port need a DRPC server: add"
                    + " --drpc-port PORT";
        }
        return null;
    }

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

    /** Returns the address that an option and its host name; null without a port. A null host is this one's loopback. */
    static InetSocketAddress of(String option, String host, Integer port) {
        if (port == null) {
            return null;
        }
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
}
