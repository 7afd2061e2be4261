package io.updraft.cluster.control;

import java.io.Closeable;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Instant;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Listens for workers on a Unix socket, in a directory that only this user may enter. */
public final class ControlServer implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(ControlServer.class);

    private static final String WHAT_TO_DO =
            "; set UPDRAFT_JAVA_OPTS=-Djava.io.tmpdir=DIRECTORY to a writable directory with a short path";

    private final Path directory;
    private final Path path;
    private final ServerSocketChannel socket;

    private ControlServer(Path directory, Path path, ServerSocketChannel socket) {
        this.directory = directory;
        this.path = path;
        this.socket = socket;
    }

    /**
     * Creates the socket and starts to listen.
     *
     * @param accept receives each connection, on a thread of its own
     * @return the server
     * @throws IOException when there can be no socket; the message is one line that says what to do
     */
    public static ControlServer open(Consumer<ControlChannel> accept) throws IOException {
        Path parent = Path.of(System.getProperty("java.io.tmpdir"));
        ControlDirectory.removeAbandoned(parent, Instant.now());
        Path directory = newDirectory(parent);
        Path path = ControlDirectory.socketIn(directory);
        ControlServer server = null;
        try {
            ServerSocketChannel socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
            server = new ControlServer(directory, path, socket);
            socket.bind(UnixDomainSocketAddress.of(path));
            server.start(accept);
            return server;
        } catch (IOException e) {
            if (server == null) {
                ControlDirectory.remove(directory);
            } else {
                server.close();
            }
            throw new IOException("cannot create a socket at " + path + " (" + e.getMessage() + ")" + WHAT_TO_DO, e);
        }
    }

    private static Path newDirectory(Path parent) throws IOException {
        try {
            return ControlDirectory.create(parent);
        } catch (IOException e) {
            throw new IOException("cannot create a directory in " + parent + " (" + e + ")" + WHAT_TO_DO, e);
        }
    }

    /** {@return the path of the socket} */
    public Path path() {
        return path;
    }

    private void start(Consumer<ControlChannel> accept) {
        Thread thread = new Thread(() -> acceptAll(accept), "updraft-control");
        thread.setDaemon(true);
        thread.start();
    }

    private void acceptAll(Consumer<ControlChannel> accept) {
        try {
            while (true) {
                SocketChannel peer = socket.accept();
                Thread thread = new Thread(() -> accept.accept(new ControlChannel(peer)), "updraft-control-worker");
                thread.setDaemon(true);
                thread.start();
            }
        } catch (ClosedChannelException e) {
            // The run has ended.
        } catch (IOException e) {
            LOG.error("accepting workers at {} has failed; no more workers can connect", path, e);
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
        ControlDirectory.remove(directory);
    }
}
