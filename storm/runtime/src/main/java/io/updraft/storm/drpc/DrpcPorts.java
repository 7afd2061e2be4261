package io.updraft.storm.drpc;

import io.updraft.http.HttpPort;
import io.updraft.storm.UpdraftDrpc;
import io.updraft.storm.thrift.AllowedUsers;
import io.updraft.storm.thrift.ThriftPort;
import io.updraft.storm.thrift.ThriftSecurity;
import io.updraft.storm.thrift.ThriftService;
import io.updraft.storm.thrift.ThriftService.CallerIdentification;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.generated.DistributedRPC;
import org.apache.storm.generated.DistributedRPCInvocations;
import org.apache.storm.security.auth.ThriftConnectionType;
import org.apache.storm.thrift.TProcessor;
import org.apache.storm.thrift.transport.TTransportFactory;
import org.apache.storm.utils.ObjectReader;

/**
 * Serves DRPC on ports, as Storm's DRPC server does. One port is for callers ({@code DRPCClient}). One is for the topologies
 * that answer ({@code DRPCSpout}, {@code ReturnResults} and their Trident counterparts in a cluster's mode). One is for callers
 * over HTTP. Topologies find the ports by {@link #settings}.
 *
 * <p>On the loopback address, the ports answer the user of this process, root, and the users in {@code updraft.drpc.users}. On
 * another address they answer every client. {@code drpc.thrift.transport} and {@code drpc.invocations.thrift.transport} can
 * require passwords ({@code DigestSaslTransportPlugin}); other values are refused. Frames and bodies are limited to {@code
 * drpc.max_buffer_size} bytes.
 */
public final class DrpcPorts implements AutoCloseable {

    /**
     * Setting: users of this host whose calls are answered, beside the user of this process and root; {@code *} for every
     * client.
     */
    public static final String USERS = "updraft.drpc.users";

    private static final int DEFAULT_MAX_BYTES = 1024 * 1024;

    private final UpdraftDrpc drpc;
    private final Map<String, Object> conf;
    private final int maxBytes;
    private final List<AutoCloseable> open = new ArrayList<>();
    private String users;
    private String httpUsers;

    private DrpcPorts(UpdraftDrpc drpc, Map<String, Object> conf) {
        this.drpc = drpc;
        this.conf = conf;
        this.maxBytes = ObjectReader.getInt(conf.get(Config.DRPC_MAX_BUFFER_SIZE), DEFAULT_MAX_BYTES);
    }

    /**
     * Opens the ports.
     *
     * @param drpc takes and answers the requests; stays open when the ports are closed
     * @param conf settings as in {@code storm.yaml}
     * @param callers the address for callers
     * @param answerers the address for topologies
     * @param http the address for callers over HTTP; null for no such port
     * @return the open ports
     * @throws IOException when a port cannot be opened; the message is one line for users, and no port stays open
     */
    public static DrpcPorts open(
            UpdraftDrpc drpc,
            Map<String, Object> conf,
            InetSocketAddress callers,
            InetSocketAddress answerers,
            InetSocketAddress http)
            throws IOException {
        DrpcPorts ports = new DrpcPorts(drpc, conf);
        try {
            ports.serve(ThriftConnectionType.DRPC, callers, new DistributedRPC.Processor<>(drpc));
            ports.serve(
                    ThriftConnectionType.DRPC_INVOCATIONS, answerers, new DistributedRPCInvocations.Processor<>(drpc));
            if (http != null) {
                ports.serveHttp(http);
            }
            return ports;
        } catch (IOException e) {
            ports.close();
            throw e;
        }
    }

    /**
     * Returns the settings with which topologies of this host find the ports. Storm's components look for a DRPC server only if
     * {@code storm.cluster.mode} is not {@code local}.
     *
     * @param host the name of this host
     * @param callers the port for callers
     * @param answerers the port for topologies
     * @return settings to use as defaults of all topologies
     */
    public static Map<String, Object> settings(String host, int callers, int answerers) {
        Map<String, Object> settings = new LinkedHashMap<>();
        settings.put(Config.DRPC_SERVERS, List.of(host));
        settings.put(Config.DRPC_PORT, callers);
        settings.put(Config.DRPC_INVOCATIONS_PORT, answerers);
        settings.put(Config.STORM_CLUSTER_MODE, "distributed");
        return settings;
    }

    /** Closes the ports. Idempotent. */
    @Override
    public void close() {
        for (AutoCloseable port : open) {
            try {
                port.close();
            } catch (Exception e) {
                throw new IllegalStateException("cannot close a DRPC port: " + e.getMessage(), e);
            }
        }
        open.clear();
    }

    private void serve(ThriftConnectionType type, InetSocketAddress address, TProcessor service) throws IOException {
        TTransportFactory transports = ThriftSecurity.transports(type, conf, maxBytes);
        AllowedUsers users = AllowedUsers.of(conf, USERS, address, !ThriftSecurity.isForAnybody(type, conf));
        String name = "updraft-" + type.name().toLowerCase(Locale.ROOT).replace('_', '-');
        if (type == ThriftConnectionType.DRPC) {
            this.users = users.describe();
        }
        open.add(ThriftPort.serve(
                name,
                ThriftPort.bind(address),
                new ThriftService(maxBytes, users, null, transports, new CallerIdentification(service))));
    }

    private void serveHttp(InetSocketAddress address) throws IOException {
        AllowedUsers users = AllowedUsers.of(conf, USERS, address, false);
        httpUsers = users.describe();
        open.add(HttpPort.open(address, DrpcHttpPage.site(drpc, users, maxBytes)));
    }

    /** {@return whether callers must know a password; this does not hold for HTTP} */
    public boolean requiresPasswords() {
        return !ThriftSecurity.isForAnybody(ThriftConnectionType.DRPC, conf);
    }

    /** {@return the users of this host who may call on the port for callers, as words; null if every client may} */
    public String users() {
        return users;
    }

    /** {@return the users of this host who may call over HTTP, as words; null if every client may} */
    public String httpUsers() {
        return httpUsers;
    }
}
