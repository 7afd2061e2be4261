package io.updraft.storm;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
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
 * <p>Nobody is authenticated, unless {@code drpc.thrift.transport} and {@code drpc.invocations.thrift.transport} ask for
 * passwords ({@code DigestSaslTransportPlugin}); what they ask for otherwise is refused. Frames and bodies are limited to {@code drpc.max_buffer_size} bytes.
 */
public final class DrpcPorts implements AutoCloseable {
    private static final int DEFAULT_MOST_BYTES = 1024 * 1024;
    private static final int BACKLOG = 128;

    private final UpdraftDrpc drpc;
    private final Map<String, Object> conf;
    private final int mostBytes;
    private final List<AutoCloseable> open = new ArrayList<>();

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
        String name = "updraft-" + type.name().toLowerCase(Locale.ROOT).replace('_', '-');
        open.add(ThriftPort.serve(name, ThriftPort.bind(address), mostBytes, transports, service));
    }

    private void serveHttp(InetSocketAddress address) throws IOException {
        HttpServer server;
        try {
            server = HttpServer.create(address, BACKLOG);
        } catch (BindException e) {
            throw ThriftPort.refusal(address, e);
        }
        // Reading a request takes a thread for as long as its sender takes; waiting for the answer takes none.
        ExecutorService readers = Executors.newCachedThreadPool(job -> {
            Thread thread = new Thread(job, "updraft-drpc-http");
            thread.setDaemon(true);
            return thread;
        });
        server.setExecutor(readers);
        server.createContext("/drpc/", new DrpcHttp(drpc, mostBytes));
        server.start();
        open.add(() -> {
            server.stop(0);
            readers.shutdownNow();
        });
    }
}
