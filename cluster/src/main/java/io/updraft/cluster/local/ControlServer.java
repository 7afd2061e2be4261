package io.updraft.cluster.local;

import io.updraft.base.thread.DaemonThreads;
import java.io.Closeable;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Listens for workers on a Unix socket, in a directory that only this user may enter. */
final class ControlServer implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(ControlServer.class);

    private static final String WHAT_TO_DO =
            "; set UPDRAFT_JAVA_OPTS=-Djava.io.tmpdir=DIRECTORY to a writable directory with a short path";

    private final Path directory;
    private final ServerSocketChannel socket;

    private ControlServer(Path directory, ServerSocketChannel socket) {
        this.directory = directory;
        this.socket = socket;
    }

    /**
     * Creates the socket and starts to listen.
     *
     * @param accept receives each connection, on a thread of its own
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
            server = new ControlServer(directory, socket);
            socket.bind(UnixDomainSocketAddress.of(path));
            ControlServer listening = server;
            DaemonThreads.start("updraft-control", () -> listening.acceptAll(accept));
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

    public Path path() {
        return ControlDirectory.socketIn(directory);
    }

    private void acceptAll(Consumer<ControlChannel> accept) {
        try {
            while (true) {
                SocketChannel peer = socket.accept();
                DaemonThreads.start("updraft-control-worker", () -> accept.accept(new ControlChannel(peer)));
            }
        } catch (ClosedChannelException e) {
            // The run has ended.
        } catch (IOException e) {
            LOG.error("accepting workers at {} has failed; no more workers can connect", path(), e);
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
        ControlDirectory.remove(directory);
    }

    /**
     * The directory of a coordinator's socket, which only this user may enter. A coordinator that is killed cannot remove its
     * directory, so a later coordinator removes it. A connection attempt to the socket shows whether the coordinator is gone: then
     * the socket refuses. The list of processes does not show this, because other containers may share the directory.
     */
    static final class ControlDirectory {
        private static final Logger LOG = LoggerFactory.getLogger(ControlDirectory.class);

        private static final String PREFIX = "updraft-run-";
        private static final String SOCKET = "control";

        /** A younger directory may belong to a coordinator that does not listen yet. */
        private static final Duration MIN_AGE = Duration.ofMinutes(1);

        private ControlDirectory() {}

        static Path create(Path parent) throws IOException {
            return Files.createTempDirectory(
                    parent, PREFIX, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        }

        static Path socketIn(Path directory) {
            return directory.resolve(SOCKET);
        }

        static void remove(Path directory) throws IOException {
            Files.deleteIfExists(socketIn(directory));
            Files.deleteIfExists(directory);
        }

        /**
         * Removes the directories of this user's coordinators that have ended. A directory that cannot be removed is left, and does
         * not prevent a run.
         */
        static void removeAbandoned(Path parent, Instant now) {
            try (DirectoryStream<Path> all = Files.newDirectoryStream(parent, PREFIX + "*")) {
                for (Path directory : all) {
                    removeIfAbandoned(directory, now);
                }
            } catch (IOException | DirectoryIteratorException e) {
                LOG.debug("cannot remove directories of earlier runs in {}", parent, e);
            }
        }

        private static void removeIfAbandoned(Path directory, Instant now) {
            try {
                if (isAbandoned(directory, now)) {
                    remove(directory);
                }
            } catch (IOException e) {
                LOG.debug("cannot remove {} of an earlier run", directory, e);
            }
        }

        private static boolean isAbandoned(Path directory, Instant now) throws IOException {
            return Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)
                    && Files.isReadable(directory)
                    && Files.getLastModifiedTime(directory).toInstant().isBefore(now.minus(MIN_AGE))
                    && (Files.notExists(socketIn(directory)) || refuses(socketIn(directory)));
        }

        private static boolean refuses(Path socket) {
            try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
                channel.configureBlocking(false); // the queue of a stopped coordinator may be full
                channel.connect(UnixDomainSocketAddress.of(socket));
                return false;
            } catch (ConnectException e) {
                return true;
            } catch (SocketException e) {
                return String.valueOf(e.getMessage()).contains("refused");
            } catch (IOException e) {
                return false;
            }
        }
    }
}
