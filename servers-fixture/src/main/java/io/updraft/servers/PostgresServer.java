package io.updraft.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A real PostgreSQL server on this host, from the system's package. Committed data survives {@link #kill} and {@link
 * #startAgain}. If this JVM runs as root, the server runs as an unprivileged user, because it requires that.
 */
public final class PostgresServer extends LocalServer {

    /** The user that owns all databases. */
    public static final String USER = "updraft";
    /** The password of that user, which the server requires. */
    public static final String PASSWORD = "drowssap";

    private static final boolean ROOT = "root".equals(System.getProperty("user.name"));
    private static final String NOBODY = "nobody";

    private final Path program;
    private final Path data = home.root().resolve("data");
    private final List<String> settings;

    private PostgresServer(Path program, List<String> settings) {
        super("postgres");
        this.program = program;
        this.settings = settings;
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
        return program("/usr/lib/postgresql", "postgres");
    }

    /**
     * Starts a server.
     *
     * @param settings settings of {@code postgresql.conf}, such as {@code max_connections=5}
     * @return the running server
     */
    public static PostgresServer start(String... settings) {
        Path program = program().orElseThrow(() -> new ServerException(missing()));
        return start(new PostgresServer(program, List.of(settings)));
    }

    private void create() {
        try {
            Path password = Files.writeString(home.root().resolve("password"), PASSWORD);
            Files.createDirectory(data);
            if (ROOT) {
                run(List.of("chown", "-R", NOBODY, data.toString(), password.toString()));
                run(List.of("chmod", "711", home.root().toString()));
            }
            List<String> initdb = unprivileged("initdb");
            initdb.addAll(List.of("-D", data.toString(), "-U", USER, "--pwfile=" + password));
            initdb.addAll(List.of("--auth=scram-sha-256", "--encoding=UTF8", "--locale=C", "--no-sync"));
            run(initdb);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot prepare PostgreSQL", e);
        }
    }

    @Override
    List<String> command() {
        if (!Files.exists(data)) {
            create();
        }
        List<String> command = unprivileged("postgres");
        command.addAll(List.of("-D", data.toString()));
        List<String> all = new ArrayList<>(List.of(
                "port=" + port,
                "listen_addresses=127.0.0.1",
                "unix_socket_directories=",
                "shared_buffers=32MB",
                // In its directory and not in /dev/shm, because the server may be killed.
                "dynamic_shared_memory_type=mmap",
                "max_connections=20",
                "synchronous_commit=on"));
        all.addAll(settings);
        all.forEach(setting -> command.addAll(List.of("-c", setting)));
        return command;
    }

    /** Returns the begin of a command of PostgreSQL for a user that it accepts. */
    private List<String> unprivileged(String name) {
        List<String> command = new ArrayList<>();
        if (ROOT) {
            command.addAll(List.of("setpriv", "--reuid", NOBODY, "--regid", "nogroup", "--clear-groups"));
        }
        command.add(program.resolveSibling(name).toString());
        return command;
    }

    private static void run(List<String> command) throws IOException {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes());
            if (process.waitFor() != 0) {
                throw new ServerException(String.join(" ", command) + " failed\n" + output);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ServerException("interrupted while running " + command.get(0), e);
        }
    }

    @Override
    boolean answers() throws Exception {
        String ready = program.resolveSibling("pg_isready").toString();
        return new ProcessBuilder(ready, "-q", "-h", "127.0.0.1", "-p", String.valueOf(port))
                        .start()
                        .waitFor()
                == 0;
    }

    /** {@return the JDBC address of the database, without user and password} */
    public String url() {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres";
    }

    /**
     * Kills the server, and waits for its children: they end a moment later, and until then their shared memory prevents a
     * restart.
     */
    @Override
    public void kill() {
        super.kill();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (ProcessHandle.allProcesses().anyMatch(this::isChild) && System.nanoTime() < deadline) {
            Thread.onSpinWait();
        }
    }

    private boolean isChild(ProcessHandle process) {
        try {
            return Files.readSymbolicLink(Path.of("/proc/" + process.pid() + "/cwd"))
                    .startsWith(data);
        } catch (IOException | RuntimeException gone) {
            return false;
        }
    }
}
