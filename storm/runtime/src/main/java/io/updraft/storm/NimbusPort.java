package io.updraft.storm;

import io.updraft.storm.program.FileTree;
import io.updraft.storm.thrift.AllowedUsers;
import io.updraft.storm.thrift.ThriftPort;
import io.updraft.storm.thrift.ThriftSecurity;
import io.updraft.storm.thrift.ThriftService;
import io.updraft.storm.thrift.ThriftService.CallerIdentification;
import io.updraft.storm.thrift.ThriftService.ServerTls;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.storm.Config;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.security.auth.ThriftConnectionType;
import org.apache.storm.thrift.TProcessor;
import org.apache.storm.thrift.transport.TTransportFactory;
import org.apache.storm.utils.ObjectReader;

/**
 * Serves a cluster of this process on a port, for Storm's {@code NimbusClient}, {@code StormSubmitter} and all clients built on
 * them. These need only {@code nimbus.seeds} and {@code nimbus.thrift.port}. Clients upload a jar with each topology, which
 * gets its own class loader for that jar.
 *
 * <p>A client that is answered can run code here. On the loopback address these clients are the user of this process, root, and
 * the users in {@code updraft.nimbus.users}. On another address every client is answered, unless the cluster's configuration
 * requires passwords ({@code nimbus.thrift.transport}: {@code DigestSaslTransportPlugin}) or certificates. Certificates have a
 * port of their own ({@code nimbus.thrift.tls.port} and the settings around it). With that port, the port without
 * authentication is opened on the loopback address only. Frames are limited to {@code nimbus.thrift.max_buffer_size} bytes.
 *
 * <p>Safe to use from any thread.
 */
public final class NimbusPort implements AutoCloseable {

    /**
     * Setting: users of this host whose calls are answered, beside the user of this process and root; {@code *} for every
     * client.
     */
    public static final String USERS = "updraft.nimbus.users";

    private static final String JARS = "jars";
    private static final int DEFAULT_MAX_BYTES = 1024 * 1024;

    private final EmbeddedCluster cluster;
    private final Path directory;

    /** What the port has opened, in this order. */
    private final List<AutoCloseable> opened;

    private final ThriftPort port;

    /** The port with TLS; null if there is none. */
    private final ThriftPort tls;

    private NimbusPort(
            EmbeddedCluster cluster, Path directory, List<AutoCloseable> opened, ThriftPort port, ThriftPort tls) {
        this.cluster = cluster;
        this.directory = directory;
        this.opened = opened;
        this.port = port;
        this.tls = tls;
    }

    /**
     * Opens the port; blobs are stored until the port is closed.
     *
     * @param cluster runs the topologies. Closing the port closes neither the cluster nor its topologies. Close the cluster
     *     first: topologies read their jars as long as they run
     * @param address the address to listen on; port 0 for any free port
     * @return the open port
     * @throws IOException when the port cannot be opened; the message is one line for users
     */
    public static NimbusPort open(EmbeddedCluster cluster, InetSocketAddress address) throws IOException {
        return open(cluster, address, null);
    }

    /**
     * Opens the port.
     *
     * @param cluster runs the topologies, as above
     * @param address the address to listen on; port 0 for any free port
     * @param state the directory that stores blobs from one process to the next, unless the cluster's configuration has {@code
     *     blobstore.dir}; null to store them only until the port is closed
     * @return the open port
     * @throws IOException when the port cannot be opened or blobs cannot be stored; the message is one line for users
     */
    public static NimbusPort open(EmbeddedCluster cluster, InetSocketAddress address, Path state) throws IOException {
        Map<String, Object> conf = cluster.daemonConf();
        int most = maxBytes(conf);
        TTransportFactory transports = ThriftSecurity.transports(ThriftConnectionType.NIMBUS, conf, most);
        ServerTls certificates = tlsPort(conf) == 0 ? null : ThriftSecurity.tls(ThriftConnectionType.NIMBUS_TLS, conf);
        boolean anybody = ThriftSecurity.isForAnybody(ThriftConnectionType.NIMBUS, conf);
        InetSocketAddress plain = certificates != null && anybody ? loopback(address) : address;
        AllowedUsers users = AllowedUsers.of(conf, USERS, plain, !anybody);
        List<AutoCloseable> open = new ArrayList<>();
        try {
            ServerSocketChannel secure = certificates == null
                    ? null
                    : added(open, ThriftPort.bind(new InetSocketAddress(address.getAddress(), tlsPort(conf))));
            int tlsPort = secure == null ? 0 : secure.socket().getLocalPort();
            ServerSocketChannel socket = added(open, ThriftPort.bind(plain));
            int plainPort = socket.socket().getLocalPort();
            Path directory = Files.createTempDirectory("updraft-nimbus-").toRealPath();
            open.add(() -> FileTree.delete(directory));
            NimbusBlobs blobs = NimbusBlobs.open(blobsIn(cluster, directory, state), conf);
            open.add(blobs::close);
            NimbusUploads uploads = added(open, new NimbusUploads(Files.createDirectory(directory.resolve(JARS))));
            Function<ServerSocketChannel, TProcessor> nimbus = bound -> new CallerIdentification(new Nimbus.Processor<>(
                    new UploadedSubmissions(cluster, addressOf(bound.socket(), plainPort, tlsPort), uploads, blobs)
                            .reporting()));
            ThriftPort tls =
                    secure == null ? null : added(open, serveTls(conf, secure, certificates, nimbus.apply(secure)));
            ThriftPort port = added(
                    open,
                    ThriftPort.serve(
                            "updraft-nimbus",
                            socket,
                            new ThriftService(most, users, null, transports, nimbus.apply(socket))));
            cluster.offerBlobs(blobs);
            return new NimbusPort(cluster, directory, open, port, tls);
        } catch (IOException | RuntimeException | Error e) {
            closeAll(open, e);
            throw e;
        }
    }

    private static <T extends AutoCloseable> T added(List<AutoCloseable> open, T more) {
        open.add(more);
        return more;
    }

    /** Closes in reverse order, and everything: a failure in one step must not leave the lock of the blobs held. */
    private static void closeAll(List<AutoCloseable> open, Throwable failure) {
        for (int i = open.size() - 1; i >= 0; i--) {
            try {
                open.get(i).close();
            } catch (Exception e) {
                failure.addSuppressed(e);
            }
        }
    }

    private static ThriftPort serveTls(
            Map<String, Object> conf, ServerSocketChannel socket, ServerTls certificates, TProcessor nimbus)
            throws IOException {
        InetSocketAddress address = (InetSocketAddress) socket.getLocalAddress();
        AllowedUsers users = AllowedUsers.of(conf, USERS, address, certificates.needsCertificate());
        return ThriftPort.serve(
                "updraft-nimbus-tls",
                socket,
                new ThriftService(maxBytes(conf), users, certificates, new TTransportFactory(), nimbus));
    }

    /** Returns the configured port for TLS; 0 if there is none. */
    private static int tlsPort(Map<String, Object> conf) {
        return Math.max(0, ObjectReader.getInt(conf.get(Config.NIMBUS_THRIFT_TLS_PORT), 0));
    }

    private static InetSocketAddress loopback(InetSocketAddress address) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), address.getPort());
    }

    /** {@return the address of the port without TLS} */
    public InetSocketAddress address() {
        return port.address();
    }

    /** {@return whether callers must know a password on the port without TLS} */
    public boolean requiresPasswords() {
        return !ThriftSecurity.isForAnybody(ThriftConnectionType.NIMBUS, cluster.daemonConf());
    }

    /**
     * {@return the users of this host whose calls are answered on the port without TLS, as words; null if every client is
     * answered}
     */
    public String users() {
        return port.users();
    }

    /**
     * {@return the users of this host whose calls are answered on the port with TLS, as words; null without such a port or if
     * every client is answered}
     */
    public String tlsUsers() {
        return tls == null ? null : tls.users();
    }

    /** {@return whether callers must show a certificate on the port with TLS} */
    public boolean requiresCertificates() {
        return ThriftConnectionType.NIMBUS_TLS.isClientAuthRequired(cluster.daemonConf());
    }

    /** {@return the address of the port with TLS; null if there is none} */
    public InetSocketAddress tlsAddress() {
        return tls == null ? null : tls.address();
    }

    /** Closes the port and its connections, and removes uploads. Idempotent. */
    @Override
    public void close() {
        port.close();
        if (tls != null) {
            tls.close();
        }
        cluster.offerBlobs(null);
        IOException failure = new IOException("cannot remove uploaded files from " + directory);
        closeAll(opened, failure);
        if (failure.getSuppressed().length > 0) {
            throw new UncheckedIOException(failure.getMessage(), failure);
        }
    }

    private static Path blobsIn(EmbeddedCluster cluster, Path temporary, Path state) {
        Object configured = cluster.daemonConf().get(Config.BLOBSTORE_DIR);
        if (configured != null) {
            return Path.of(configured.toString()).toAbsolutePath().resolve("blobs");
        }
        return (state == null ? temporary : state.toAbsolutePath()).resolve("blobs");
    }

    Path directory() {
        return directory.resolve(JARS);
    }

    private static int maxBytes(Map<String, Object> conf) {
        return ObjectReader.getInt(conf.get(Config.NIMBUS_THRIFT_MAX_BUFFER_SIZE), DEFAULT_MAX_BYTES);
    }

    /**
     * Returns the leader's address for clients of a port. Clients request that address, and connect to it unless they are
     * connected to it already.
     */
    private static NimbusAddress addressOf(ServerSocket socket, int port, int tlsPort) {
        InetAddress host = socket.getInetAddress();
        String name = host.isLoopbackAddress() ? ClusterSummaries.HOST : host.getHostAddress();
        return new NimbusAddress(host.isAnyLocalAddress() ? ownName() : name, port, tlsPort);
    }

    private static String ownName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            throw new UncheckedIOException("cannot resolve the name of this host: " + e.getMessage(), e);
        }
    }
}
