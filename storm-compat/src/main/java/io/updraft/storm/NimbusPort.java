package io.updraft.storm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.utils.ObjectReader;

/**
 * A cluster of this process on a port, where Storm's {@code NimbusClient}, {@code StormSubmitter} and all that is built on
 * them find it: {@code nimbus.seeds} and {@code nimbus.thrift.port} are all they need to know. Topologies come with their
 * jar, and each has a class loader of its own from it.
 *
 * <p>Nobody is authenticated: whoever can connect can run code here. Frames are limited to
 * {@code nimbus.thrift.max_buffer_size} bytes.
 *
 * <p>Safe to use from any thread.
 */
public final class NimbusPort implements AutoCloseable {
    private static final String JARS = "jars";
    private static final int DEFAULT_MOST_BYTES = 1024 * 1024;

    private final UpdraftCluster cluster;
    private final Path directory;
    private final NimbusUploads uploads;
    private final NimbusBlobs blobs;
    private final ThriftPort port;

    private NimbusPort(
            UpdraftCluster cluster, Path directory, NimbusUploads uploads, NimbusBlobs blobs, ThriftPort port) {
        this.cluster = cluster;
        this.directory = directory;
        this.uploads = uploads;
        this.blobs = blobs;
        this.port = port;
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
        ServerSocket socket = ThriftPort.bind(address);
        Path directory = null;
        NimbusBlobs blobs = null;
        try {
            directory = Files.createTempDirectory("updraft-nimbus-").toRealPath();
            blobs = NimbusBlobs.open(blobsIn(cluster, directory, state), cluster.daemonConf());
            NimbusUploads uploads = new NimbusUploads(Files.createDirectory(directory.resolve(JARS)));
            Nimbus.Iface nimbus = LocalNimbus.of(
                    true,
                    new NimbusCalls(cluster, addressOf(socket)),
                    new UploadedSubmissions(cluster, uploads, blobs),
                    blobs);
            ThriftPort port = ThriftPort.serve(
                    "updraft-nimbus", socket, mostBytes(cluster.daemonConf()), new Nimbus.Processor<>(nimbus));
            cluster.offerBlobs(blobs);
            return new NimbusPort(cluster, directory, uploads, blobs, port);
        } catch (IOException e) {
            socket.close();
            if (blobs != null) {
                blobs.close();
            }
            if (directory != null) {
                Trees.delete(directory);
            }
            throw e;
        }
    }

    /** {@return where it listens} */
    public InetSocketAddress address() {
        return port.address();
    }

    /** Listens no more, and removes what clients have sent. Idempotent. */
    @Override
    public void close() {
        port.close();
        cluster.offerBlobs(null);
        try {
            uploads.close();
            blobs.close();
            Trees.delete(directory);
        } catch (IOException e) {
            throw new UncheckedIOException("could not remove what clients have uploaded to " + directory, e);
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
    private static NimbusAddress addressOf(ServerSocket socket) throws UnknownHostException {
        InetAddress host = socket.getInetAddress();
        String name = host.isLoopbackAddress() ? Summaries.HOST : host.getHostAddress();
        return new NimbusAddress(
                host.isAnyLocalAddress() ? InetAddress.getLocalHost().getHostName() : name, socket.getLocalPort());
    }
}
