package io.updraft.cli.run;

import io.updraft.base.exit.UserError;
import io.updraft.observe.inspection.StateDirectory;
import io.updraft.storm.NimbusPort;
import io.updraft.storm.UpdraftCluster;
import io.updraft.storm.UpdraftDrpc;
import io.updraft.storm.drpc.DrpcPorts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.storm.utils.DRPCClient;
import org.apache.storm.utils.Utils;

/** The open ports of a run: Nimbus and DRPC. */
final class ServicePorts implements AutoCloseable {
    private final List<AutoCloseable> open = new ArrayList<>();
    private final List<String> listenLines = new ArrayList<>();

    private ServicePorts() {}

    /** Opens the ports that the request names. When one cannot be opened, the other ports are closed. */
    static ServicePorts open(UpdraftCluster cluster, RunRequest request) {
        ServicePorts services = new ServicePorts();
        try {
            ServiceAddresses addresses = request.services();
            if (addresses.drpc() != null) {
                services.openDrpc(
                        addresses, conf(addresses.addedBelow(request.config().daemon())));
            } else if (!request.workers()) {
                services.openLocalDrpc(conf(request.config().daemon()));
            }
            if (addresses.nimbus() != null) {
                int port = addresses.nimbus().getPort();
                // A port that the system chooses differs in each run, so its state cannot be found again.
                Path state = port == 0 ? null : StateDirectory.path().resolve("nimbus-" + port);
                NimbusPort nimbus = NimbusPort.open(cluster, addresses.nimbus(), state);
                services.add(
                        nimbus, listenLine("Nimbus", nimbus.address(), nimbus.requiresPasswords(), nimbus.users()));
                if (nimbus.tlsAddress() != null) {
                    services.listenLines.add(listenLine(
                            "Nimbus by TLS", nimbus.tlsAddress(), nimbus.requiresCertificates(), nimbus.tlsUsers()));
                }
            }
            return services;
        } catch (IOException e) {
            services.close();
            throw new UserError(e.getMessage(), e);
        }
    }

    private static Map<String, Object> conf(Map<String, Object> settings) {
        Map<String, Object> conf = Utils.readStormConfig();
        conf.putAll(settings);
        return conf;
    }

    private void openDrpc(ServiceAddresses addresses, Map<String, Object> conf) throws IOException {
        UpdraftDrpc drpc = new UpdraftDrpc(conf);
        open.add(drpc);
        DrpcPorts ports =
                DrpcPorts.open(drpc, conf, addresses.drpc(), addresses.drpcInvocations(), addresses.drpcHttp());
        add(ports, listenLine("DRPC", addresses.drpc(), ports.requiresPasswords(), ports.users()));
        if (addresses.drpcHttp() != null) {
            listenLines.add(listenLine("DRPC by HTTP", addresses.drpcHttp(), false, ports.httpUsers()));
        }
    }

    /**
     * Starts DRPC in this process, without a port, for programs that call {@code DRPCClient.getConfiguredClient}: as in {@code
     * storm local}.
     */
    private void openLocalDrpc(Map<String, Object> conf) {
        UpdraftDrpc drpc = new UpdraftDrpc(conf);
        open.add(new DRPCClient.LocalOverride(drpc));
        open.add(drpc);
    }

    private void add(AutoCloseable service, String line) {
        open.add(service);
        listenLines.add(line);
    }

    /** Returns the line that reports a service, with a warning if no client is authenticated; null users: every client may connect. */
    private static String listenLine(String service, InetSocketAddress address, boolean authenticated, String users) {
        InetAddress host = address.getAddress();
        String clients = users != null
                ? " for " + users
                : authenticated
                        ? ""
                        : "; warning: clients are not authenticated; anyone who connects can run code here";
        return "updraft: " + service + " listens on " + (host.isLoopbackAddress() ? "localhost" : host.getHostAddress())
                + ":" + address.getPort() + clients;
    }

    List<String> listenLines() {
        return listenLines;
    }

    /** Closes all ports. Call it after the cluster's topologies have ended. */
    @Override
    public void close() {
        for (AutoCloseable service : open) {
            try {
                service.close();
            } catch (Exception e) {
                throw new IllegalStateException("a port could not be closed: " + e.getMessage(), e);
            }
        }
    }
}
