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
 * A real ZooKeeper on this host, alone and without an ensemble: a JVM of its own, on a free port of the loopback interface,
 * with a directory of its own. It keeps its port and its data over restarts, and loses both with {@link #close}; should this
 * JVM die before, nothing is left either.
 *
 * <p>Threads: any, but one at a time.
 */
public final class ZooKeeperServer implements AutoCloseable {

    private static final Duration START = Duration.ofMinutes(5);
    private static final int POLL_MILLIS = 50;
    private static final int ANSWER_MILLIS = 2_000;

    private final ServerHome home = new ServerHome("zookeeper");
    private final int port = new Ports().next();
    private Process process;

    private ZooKeeperServer() {}

    /** {@return a server that answers, and takes sessions of 400 ms and more} */
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

    /** {@return host and port, for clients} */
    public String address() {
        return "127.0.0.1:" + port;
    }

    /** Starts it again after {@link #kill}; returns when it answers. */
    public void restart() {
        if (process != null && process.isAlive()) {
            throw new ServerException("ZooKeeper runs already");
        }
        process = home.start(
                "zookeeper",
                ServerJvm.command(
                        ServerJvm.LEAN, ZooKeeperMain.class, configuration().toString()));
        await();
    }

    /** Ends it with kill -9; returns when the process is gone. */
    public void kill() {
        process.destroyForcibly().onExit().join();
    }

    /** Sends SIGSTOP: it keeps its connections, and answers nothing. */
    public void suspend() {
        ServerHome.signal(process, "STOP");
    }

    /** Sends SIGCONT. */
    public void resume() {
        ServerHome.signal(process, "CONT");
    }

    private Path configuration() {
        // Sessions last 2 to 20 ticks: a short tick lets a test have short ones.
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

    /** Ends it, by kill -9, and removes its data. */
    @Override
    public void close() {
        home.close();
    }
}
