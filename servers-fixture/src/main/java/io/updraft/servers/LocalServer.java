package io.updraft.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A server with one process on this host, on a free port of the loopback interface, with a directory of its own. Start it once
 * for a test class, and close it at the end; if this JVM dies earlier, all processes and files are removed too. It keeps its
 * port and its data over restarts, but not over {@link #close}. May be used from any thread, but only from one at a time.
 */
public abstract sealed class LocalServer implements AutoCloseable permits PostgresServer, RedisServer, ZooKeeperServer {

    private static final Duration START = Duration.ofMinutes(5);
    private static final long POLL_MILLIS = 20;

    final ServerHome home;
    final int port = new Ports().next();

    private final String name;
    private Process process;

    LocalServer(String name) {
        this.name = name;
        home = new ServerHome(name);
    }

    /** Returns the command of the process. */
    abstract List<String> command();

    /** Returns whether the server answers; an exception means no. */
    abstract boolean answers() throws Exception;

    /** Starts a new server; closes it if that fails. */
    static <S extends LocalServer> S start(S server) {
        try {
            server.startAgain();
            return server;
        } catch (RuntimeException | Error e) {
            server.close();
            throw e;
        }
    }

    /** Returns the executable file of the given name with the newest version; empty if there is none. */
    static Optional<Path> program(String folder, String program) {
        Path root = Path.of(folder);
        try (Stream<Path> found = Files.isDirectory(root) ? Files.walk(root, 3) : Stream.empty()) {
            return found.filter(file -> file.endsWith(program) && Files.isExecutable(file))
                    .max((a, b) -> Integer.compare(version(a), version(b)));
        } catch (IOException | UncheckedIOException unreadable) {
            return Optional.empty();
        }
    }

    private static int version(Path file) {
        String digits = file.toString().replaceAll("\\D", "");
        return digits.isEmpty() ? 0 : Integer.parseInt(digits);
    }

    /** {@return the server's port on 127.0.0.1} */
    public final int port() {
        return port;
    }

    /** Restarts the server after {@link #kill}. Returns when the server answers. */
    public final void startAgain() {
        if (process != null && process.isAlive()) {
            throw new ServerException(name + " is already running");
        }
        process = home.start(name, command());
        long deadline = System.nanoTime() + START.toNanos();
        while (!isUp()) {
            if (!process.isAlive() || System.nanoTime() > deadline) {
                throw new ServerException(
                        name + (process.isAlive() ? " does not answer\n" : " ended\n") + home.tails());
            }
            pause();
        }
    }

    private boolean isUp() {
        try {
            return answers();
        } catch (Exception notYet) {
            return false;
        }
    }

    private static void pause() {
        try {
            Thread.sleep(POLL_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ServerException("interrupted while starting", e);
        }
    }

    /** Kills the server with kill -9, as a crash would. Returns after its death. */
    public void kill() {
        process.destroyForcibly().onExit().join();
    }

    /** Sends SIGSTOP: the server keeps its connections, but does not answer. */
    public final void suspend() {
        ServerHome.signal(process, "STOP");
    }

    /** Sends SIGCONT. */
    public final void resume() {
        ServerHome.signal(process, "CONT");
    }

    /** Kills the server, and removes its directory. */
    @Override
    public final void close() {
        if (process != null && process.isAlive()) {
            kill();
        }
        home.close();
    }
}
