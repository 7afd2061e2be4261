package io.updraft.storm;

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
 * DRPC on ports, as Storm's DRPC server: one for callers ({@code DRPCClient}), one for the topologies that answer
 * ({@code DRPCSpout}, {@code ReturnResults} and Trident's counterparts in a cluster's mode), and one for callers that speak
 * HTTP. A topology finds them by {@link #settings}.
 *
 * <p>At the loopback address the user of this process, root, and the users that {@code updraft.drpc.users} names are answered; at
 * another address whoever can connect. {@code drpc.thrift.transport} and {@code drpc.invocations.thrift.transport} can ask for passwords
 * ({@code DigestSaslTransportPlugin}); what they ask for otherwise is refused. Frames and bodies are limited to {@code drpc.max_buffer_size} bytes.
 */
public final class DrpcPorts implements AutoCloseable {

    /** Setting: users of this host who are answered, beside this one and root; {@code *} for whoever can connect. */
    public static final String USERS = "updraft.drpc.users";

    private static final int DEFAULT_MOST_BYTES = 1024 * 1024;

    private final UpdraftDrpc drpc;
    private final Map<String, Object> conf;
    private final int mostBytes;
    private final List<AutoCloseable> open = new ArrayList<>();
    private String users;
    private String httpUsers;

    private DrpcPorts(UpdraftDrpc drpc, Map<String, Object> conf) {
        this.drpc = drpc;
        this.conf = conf;
        this.mostBytes = ObjectReader.getInt(conf.get(Config.DRPC_MAX_BUFFER_SIZE), DEFAULT_MOST_BYTES);
    }

    /**
     * Opens the ports.
     *
     * @param drpc what takes and answers requests; closing the ports leaves it open
     * @param conf settings as in {@code storm.yaml}
     * @param callers where callers connect
     * @param answerers where topologies connect
     * @param http where callers connect that speak HTTP; null for nowhere
     * @return the open ports
     * @throws IOException when one of them cannot be listened to; the message is one line for users, and none is open
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
     * The settings with which topologies of this host find the ports: components of Storm's look for a DRPC server only where
     * {@code storm.cluster.mode} is not {@code local}.
     *
     * @param host the name of this host
     * @param callers the port for callers
     * @param answerers the port for topologies
     * @return the settings, to be put beneath those of all topologies
     */
    public static Map<String, Object> settings(String host, int callers, int answerers) {
        Map<String, Object> settings = new LinkedHashMap<>();
        settings.put(Config.DRPC_SERVERS, List.of(host));
        settings.put(Config.DRPC_PORT, callers);
        settings.put(Config.DRPC_INVOCATIONS_PORT, answerers);
        settings.put(Config.STORM_CLUSTER_MODE, "distributed");
        return settings;
    }

    /** Listens no more. Idempotent. */
    @Override
    public void close() {
        for (AutoCloseable port : open) {
            try {
                port.close();
            } catch (Exception e) {
                throw new IllegalStateException("a port of DRPC could not be closed: " + e.getMessage(), e);
            }
        }
        open.clear();
    }

    private void serve(ThriftConnectionType type, InetSocketAddress address, TProcessor service) throws IOException {
        TTransportFactory transports = ThriftSecurity.transports(type, conf, mostBytes);
        AllowedUsers users = AllowedUsers.of(conf, USERS, address, !ThriftSecurity.isForAnybody(type, conf));
        String name = "updraft-" + type.name().toLowerCase(Locale.ROOT).replace('_', '-');
        if (type == ThriftConnectionType.DRPC) {
            this.users = users.describe();
        }
        open.add(ThriftPort.serve(
                name,
                ThriftPort.bind(address),
                new ThriftService(mostBytes, users, null, transports, new KnownCallers(service))));
    }

    private void serveHttp(InetSocketAddress address) throws IOException {
        AllowedUsers users = AllowedUsers.of(conf, USERS, address, false);
        httpUsers = users.describe();
        open.add(DrpcHttpPort.open(drpc, address, mostBytes, users));
    }

    /** {@return whether only callers are answered who know a password, but by HTTP} */
    public boolean asksForPasswords() {
        return !ThriftSecurity.isForAnybody(ThriftConnectionType.DRPC, conf);
    }

    /** {@return which users of this host are answered on the port for callers, as words; null for whoever can connect} */
    public String users() {
        return users;
    }

    /** {@return the same by HTTP} */
    public String httpUsers() {
        return httpUsers;
    }
}
