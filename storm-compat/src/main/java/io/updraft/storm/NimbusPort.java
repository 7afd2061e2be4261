package io.updraft.storm;

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
 * A cluster of this process on a port, where Storm's {@code NimbusClient}, {@code StormSubmitter} and all that is built on
 * them find it: {@code nimbus.seeds} and {@code nimbus.thrift.port} are all they need to know. Topologies come with their
 * jar, and each has a class loader of its own from it.
 *
 * <p>Who is answered can run code here. At the loopback address these are the user of this process and root, and the users that
 * {@code updraft.nimbus.users} names; at another address whoever can connect, unless the cluster's configuration asks for passwords
 * ({@code nimbus.thrift.transport}: {@code DigestSaslTransportPlugin}) or for certificates, on a port of its own
 * ({@code nimbus.thrift.tls.port} and what belongs to it). With that, the port on which nobody is authenticated is opened on the
 * loopback address only. Frames are limited to {@code nimbus.thrift.max_buffer_size} bytes.
 *
 * <p>Safe to use from any thread.
 */
public final class NimbusPort implements AutoCloseable {

    /** Setting: users of this host who are answered, beside this one and root; {@code *} for whoever can connect. */
    public static final String USERS = "updraft.nimbus.users";

    private static final String JARS = "jars";
    private static final int DEFAULT_MOST_BYTES = 1024 * 1024;

    private final UpdraftCluster cluster;
    private final Path directory;
    private final NimbusUploads uploads;
    private final NimbusBlobs blobs;
    private final ThriftPort port;

    /** Null if there is none. */
    private final ThriftPort tls;

    private NimbusPort(
            UpdraftCluster cluster,
            Path directory,
            NimbusUploads uploads,
            NimbusBlobs blobs,
            ThriftPort port,
            ThriftPort tls) {
        this.cluster = cluster;
        this.directory = directory;
        this.uploads = uploads;
        this.blobs = blobs;
        this.port = port;
        this.tls = tls;
    }

    /**
     * Opens the port; blobs are kept until it is closed.
     *
     * @param cluster where topologies go; closing the port leaves it, and what runs there, alone. It is to be closed first:
     *     topologies read their jars as long as they live
     * @param address where to listen; port 0 for any that is free
     * @return the open port
     * @throws IOException when it cannot be listened to; the message is one line for users
     */
    public static NimbusPort open(UpdraftCluster cluster, InetSocketAddress address) throws IOException {
        return open(cluster, address, null);
    }

    /**
     * Opens the port.
     *
     * @param cluster where topologies go, as above
     * @param address where to listen; port 0 for any that is free
     * @param state the directory in which blobs are kept, from one process to the next, unless the cluster's configuration has
     *     {@code blobstore.dir}; null to keep them until the port is closed
     * @return the open port
     * @throws IOException when it cannot be listened to, or blobs cannot be kept; the message is one line for users
     */
    public static NimbusPort open(UpdraftCluster cluster, InetSocketAddress address, Path state) throws IOException {
        Map<String, Object> conf = cluster.daemonConf();
        int most = mostBytes(conf);
        TTransportFactory transports = ThriftSecurity.transports(ThriftConnectionType.NIMBUS, conf, most);
        ServerTls certificates = tlsPort(conf) == 0 ? null : ThriftSecurity.tls(ThriftConnectionType.NIMBUS_TLS, conf);
        boolean anybody = ThriftSecurity.isForAnybody(conf);
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
            open.add(() -> Trees.delete(directory));
            NimbusBlobs blobs = NimbusBlobs.open(blobsIn(cluster, directory, state), conf);
            open.add(blobs::close);
            NimbusUploads uploads = new NimbusUploads(Files.createDirectory(directory.resolve(JARS)));
            Function<ServerSocketChannel, TProcessor> nimbus =
                    bound -> new KnownCallers(new Nimbus.Processor<>(LocalNimbus.of(
                            true,
                            new NimbusCalls(cluster, addressOf(bound.socket(), plainPort, tlsPort)),
                            new UploadedSubmissions(cluster, uploads, blobs),
                            blobs)));
            ThriftPort tls =
                    secure == null ? null : added(open, serveTls(conf, secure, certificates, nimbus.apply(secure)));
            ThriftPort port = added(
                    open,
                    ThriftPort.serve(
                            "updraft-nimbus",
                            socket,
                            new ThriftService(most, users, null, transports, nimbus.apply(socket))));
            cluster.offerBlobs(blobs);
            return new NimbusPort(cluster, directory, uploads, blobs, port, tls);
        } catch (IOException | RuntimeException | Error e) {
            closeAll(open, e);
            throw e;
        }
    }

    private static <T extends AutoCloseable> T added(List<AutoCloseable> open, T more) {
        open.add(more);
        return more;
    }

    /** In the reverse order. */
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
                new ThriftService(mostBytes(conf), users, certificates, new TTransportFactory(), nimbus));
    }

    /** 0 if there is to be none. */
    private static int tlsPort(Map<String, Object> conf) {
        return Math.max(0, ObjectReader.getInt(conf.get(Config.NIMBUS_THRIFT_TLS_PORT), 0));
    }

    private static InetSocketAddress loopback(InetSocketAddress address) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), address.getPort());
    }

    /** {@return where it listens} */
    public InetSocketAddress address() {
        return port.address();
    }

    /** {@return whether only those are answered, on the port without TLS, who know a password} */
    public boolean asksForPasswords() {
        return !ThriftSecurity.isForAnybody(cluster.daemonConf());
    }

    /** {@return which users of this host are answered on the port without TLS, as words; null for whoever can connect} */
    public String users() {
        return port.users();
    }

    /** {@return the same of the port with TLS; null if there is none} */
    public String tlsUsers() {
        return tls == null ? null : tls.users();
    }

    /** {@return whether only those are answered, on the port with TLS, who show a certificate} */
    public boolean asksForCertificates() {
        return ThriftConnectionType.NIMBUS_TLS.isClientAuthRequired(cluster.daemonConf());
    }

    /** {@return where it listens for TLS; null if it does not} */
    public InetSocketAddress tlsAddress() {
        return tls == null ? null : tls.address();
    }

    /** Listens no more, and removes what clients have sent. Idempotent. */
    @Override
    public void close() {
        port.close();
        if (tls != null) {
            tls.close();
        }
        cluster.offerBlobs(null);
        try {
            removeAll();
        } catch (IOException e) {
            throw new UncheckedIOException("could not remove what clients have uploaded to " + directory, e);
        }
    }

    /** What cannot be removed is no reason to keep the rest, nor the lock of the blobs. */
    private void removeAll() throws IOException {
        try {
            uploads.close();
        } finally {
            try {
                blobs.close();
            } finally {
                Trees.delete(directory);
            }
        }
    }

    private static Path blobsIn(UpdraftCluster cluster, Path temporary, Path state) {
        Object configured = cluster.daemonConf().get(Config.BLOBSTORE_DIR);
        if (configured != null) {
            return Path.of(configured.toString()).toAbsolutePath().resolve("blobs");
        }
        return (state == null ? temporary : state.toAbsolutePath()).resolve("blobs");
    }

    /** Where uploads lie. */
    Path directory() {
        return directory.resolve(JARS);
    }

    private static int mostBytes(Map<String, Object> conf) {
        return ObjectReader.getInt(conf.get(Config.NIMBUS_THRIFT_MAX_BUFFER_SIZE), DEFAULT_MOST_BYTES);
    }

    /** Clients ask for the leader's address and connect to it, unless it is what they have connected to. */
    private static NimbusAddress addressOf(ServerSocket socket, int port, int tlsPort) {
        InetAddress host = socket.getInetAddress();
        String name = host.isLoopbackAddress() ? Summaries.HOST : host.getHostAddress();
        return new NimbusAddress(host.isAnyLocalAddress() ? ownName() : name, port, tlsPort);
    }

    private static String ownName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            throw new UncheckedIOException("this host does not know its own name: " + e.getMessage(), e);
        }
    }
}
