package io.updraft.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A real PostgreSQL server on this host, from the system's package, on a free port of the loopback interface, with a directory
 * of its own. Start it once for a test class, and close it at the end; if this JVM dies earlier, all processes and files are
 * removed too. Committed data survives {@link #kill} and {@link #startAgain}, but not {@link #close}. May be used from any
 * thread, but only from one at a time.
 */
public final class PostgresServer implements AutoCloseable {

    /** The user that owns all databases. */
    public static final String USER = "updraft";
    /** The password of that user, which the server requires. */
    public static final String PASSWORD = "drowssap";

    private static final String PROGRAMS = "/usr/lib/postgresql";

    private final ServerHome home = new ServerHome("postgres");
    private final int port = new Ports().next();
    private final SystemServer server;

    private PostgresServer(Path postgres, List<String> settings) {
        Path data = home.root().resolve("data");
        List<String> command = new ArrayList<>(List.of(postgres.toString(), "-D", data.toString()));
        settings.forEach(setting -> command.addAll(List.of("-c", setting)));
        server = new SystemServer(
                "postgres",
                home,
                SystemServer.unprivileged(command),
                () -> isReady(postgres.resolveSibling("pg_isready")));
        create(postgres.resolveSibling("initdb"), data);
    }

    /** {@return whether PostgreSQL is installed; otherwise tests are skipped} */
    public static boolean isInstalled() {
        return program().isPresent();
    }

    /** {@return the reason for skipping tests, for the message of an assumption} */
    public static String missing() {
        return "PostgreSQL is not installed: apt-get install --no-install-recommends postgresql";
    }

    private static Optional<Path> program() {
        return SystemServer.program(PROGRAMS, "postgres");
    }

    /**
     * Starts a server.
     *
     * @param settings settings of {@code postgresql.conf}, such as {@code max_connections=5}
     * @return the running server
     */
    public static PostgresServer start(String... settings) {
        Path postgres = program().orElseThrow(() -> new ServerException(missing()));
        PostgresServer server = new PostgresServer(postgres, List.of(settings));
        try {
            server.startAgain();
            return server;
        } catch (RuntimeException | Error e) {
            server.close();
            throw e;
        }
    }

    private void create(Path initdb, Path data) {
        try {
            Path password = Files.writeString(home.root().resolve("password"), PASSWORD);
            Files.createDirectory(data);
            SystemServer.handOver(home.root(), data);
            SystemServer.handOver(home.root(), password);
            SystemServer.run(SystemServer.unprivileged(List.of(
                    initdb.toString(),
                    "-D",
                    data.toString(),
                    "-U",
                    USER,
                    "--pwfile=" + password,
                    "--auth=scram-sha-256",
                    "--encoding=UTF8",
                    "--locale=C",
                    "--no-sync")));
            Files.writeString(
                    data.resolve("postgresql.conf"),
                    String.join(
                            "\n",
                            "",
                            "port=" + port,
                            "listen_addresses='127.0.0.1'",
                            "unix_socket_directories=''",
                            "shared_buffers=32MB",
                            // In its directory and not in /dev/shm, because the server may be killed.
                            "dynamic_shared_memory_type=mmap",
                            "max_connections=20",
                            "synchronous_commit=on",
                            ""),
                    java.nio.file.StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot prepare PostgreSQL", e);
        }
    }

    private boolean isReady(Path program) throws Exception {
        Process asked =
                new ProcessBuilder(program.toString(), "-q", "-h", "127.0.0.1", "-p", String.valueOf(port)).start();
        return asked.waitFor() == 0;
    }

    /** {@return the JDBC address of the database, without user and password} */
    public String url() {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres";
    }

    /** Restarts the server after it was stopped or killed. Returns when the server answers. */
    public void startAgain() {
        server.start();
    }

    /** Stops the server and ends its connections. */
    public void stop() {
        ServerHome.signal(server.process(), "INT");
        server.stop();
    }

    /** Kills the server as a crash would. Committed data is there again after {@link #startAgain}. */
    public void kill() {
        server.kill();
        awaitChildren();
    }

    /**
     * Waits for the children of a killed server: they end a moment later, and until then their shared memory prevents a
     * restart.
     */
    private void awaitChildren() {
        long deadline = System.nanoTime() + java.time.Duration.ofSeconds(30).toNanos();
        while (children() && System.nanoTime() < deadline) {
            Thread.onSpinWait();
        }
    }

    private boolean children() {
        String data = home.root().resolve("data").toString();
        return ProcessHandle.allProcesses().anyMatch(process -> isIn(process, data));
    }

    private static boolean isIn(ProcessHandle process, String folder) {
        try {
            return Files.readSymbolicLink(Path.of("/proc/" + process.pid() + "/cwd"))
                    .toString()
                    .startsWith(folder);
        } catch (IOException | RuntimeException gone) {
            return false;
        }
    }

    /** Ends the server, and removes its directory. */
    @Override
    public void close() {
        server.end();
        home.close();
    }
}
