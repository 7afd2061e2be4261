package io.updraft.storm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
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
    private static final int DEFAULT_MOST_BYTES = 1024 * 1024;

    private final Path directory;
    private final NimbusUploads uploads;
    private final NimbusBlobs blobs;
    private final ThriftPort port;

    private NimbusPort(Path directory, NimbusUploads uploads, NimbusBlobs blobs, ThriftPort port) {
        this.directory = directory;
        this.uploads = uploads;
        this.blobs = blobs;
        this.port = port;
    }

    /**
     * Opens the port.
     *
     * @param cluster where topologies go; closing the port leaves it, and what runs there, alone. It is to be closed first:
     *     topologies read their jars as long as they live
     * @param address where to listen; port 0 for any that is free
     * @return the open port
     * @throws IOException when it cannot be listened to; the message is one line for users
     */
    public static NimbusPort open(UpdraftCluster cluster, InetSocketAddress address) throws IOException {
        ServerSocket socket = ThriftPort.bind(address);
        try {
            Path directory = Files.createTempDirectory("updraft-nimbus-").toRealPath();
            NimbusUploads uploads = new NimbusUploads(directory);
            NimbusBlobs blobs = new NimbusBlobs(uploads);
            Nimbus.Iface nimbus = LocalNimbus.of(
                    true,
                    new NimbusCalls(cluster, addressOf(socket)),
                    new UploadedSubmissions(cluster, uploads, blobs),
                    blobs);
            ThriftPort port = ThriftPort.serve(
                    "updraft-nimbus", socket, mostBytes(cluster.daemonConf()), new Nimbus.Processor<>(nimbus));
            return new NimbusPort(directory, uploads, blobs, port);
        } catch (IOException e) {
            socket.close();
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
        try {
            uploads.close();
            blobs.close();
            delete(directory);
        } catch (IOException e) {
            throw new UncheckedIOException("could not remove what clients have uploaded to " + directory, e);
        }
    }

    /** Where uploads lie. */
    Path directory() {
        return directory;
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

    private static void delete(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return;
        }
        try (Stream<Path> tree = Files.walk(directory)) {
            List<Path> leavesFirst = tree.sorted(Comparator.reverseOrder()).toList();
            for (Path path : leavesFirst) {
                Files.deleteIfExists(path);
            }
        }
    }
}
