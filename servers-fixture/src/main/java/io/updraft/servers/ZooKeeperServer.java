package io.updraft.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * A real ZooKeeper server on this host, without an ensemble: a JVM of its own, on a free port of the loopback interface, with a
 * directory of its own. It keeps its port and its data over restarts, and loses both with {@link #close}. If this JVM dies
 * earlier, all processes and files are removed too.
 *
 * <p>May be used from any thread, but only from one at a time.
 */
public final class ZooKeeperServer implements AutoCloseable {

    private static final Duration START = Duration.ofMinutes(5);
    private static final int POLL_MILLIS = 50;
    private static final int ANSWER_MILLIS = 2_000;

    private final ServerHome home = new ServerHome("zookeeper");
    private final int port = new Ports().next();
    private Process process;

    private ZooKeeperServer() {}

    /** {@return a running server, which accepts session timeouts of 400 ms and more} */
    public static ZooKeeperServer start() {
        ZooKeeperServer server = new ZooKeeperServer();
        try {
            server.restart();
            return server;
        } catch (RuntimeException | Error e) {
            server.close();
            throw e;
        }
    }

    /** {@return the host and port for clients} */
    public String address() {
        return "127.0.0.1:" + port;
    }

    /** Restarts the server after {@link #kill}. Returns when the server answers. */
    public void restart() {
        if (process != null && process.isAlive()) {
            throw new ServerException("ZooKeeper is already running");
        }
        process = home.start(
                "zookeeper",
                ServerJvm.command(
                        ServerJvm.LEAN, ZooKeeperMain.class, configuration().toString()));
        await();
    }

    /** Kills the server with kill -9. Returns after its death. */
    public void kill() {
        process.destroyForcibly().onExit().join();
    }

    /** Sends SIGSTOP: the server keeps its connections, but does not answer. */
    public void suspend() {
        ServerHome.signal(process, "STOP");
    }

    /** Sends SIGCONT. */
    public void resume() {
        ServerHome.signal(process, "CONT");
    }

    private Path configuration() {
        // Session timeouts are 2 to 20 ticks by default: a short tick allows short timeouts.
        String text = String.join(
                "\n",
                List.of(
                        "tickTime=200",
                        "maxSessionTimeout=60000",
                        "dataDir=" + home.root().resolve("data"),
                        "clientPort=" + port,
                        "clientPortAddress=127.0.0.1",
                        "maxClientCnxns=0",
                        "admin.enableServer=false",
                        "4lw.commands.whitelist=ruok",
                        ""));
        try {
            return Files.writeString(home.root().resolve("zoo.cfg"), text);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the configuration of ZooKeeper", e);
        }
    }

    private void await() {
        long deadline = System.nanoTime() + START.toNanos();
        while (!answers()) {
            if (!process.isAlive() || System.nanoTime() - deadline > 0) {
                throw new ServerException("ZooKeeper does not answer on port " + port + "\n" + home.tails());
            }
            try {
                Thread.sleep(POLL_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new ServerException("interrupted while waiting for ZooKeeper", e);
            }
        }
    }

    private boolean answers() {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(ANSWER_MILLIS);
            socket.getOutputStream().write("ruok".getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).equals("imok");
        } catch (IOException notYet) {
            return false;
        }
    }

    /** Kills the server with kill -9, and removes its data. */
    @Override
    public void close() {
        home.close();
    }
}
