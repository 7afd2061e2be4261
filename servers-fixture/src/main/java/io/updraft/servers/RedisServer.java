package io.updraft.servers;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A real Redis server on this host, from the system's package, on a free port of the loopback interface, with a directory of
 * its own. Start it once for a test class, and close it at the end; if this JVM dies earlier, all processes and files are
 * removed too. The server writes each command to its log on disk before it answers. Answered commands therefore survive {@link
 * #kill} and {@link #startAgain}. May be used from any thread, but only from one at a time.
 */
public final class RedisServer implements AutoCloseable {

    private final ServerHome home = new ServerHome("redis");
    private final int port = new Ports().next();
    private final SystemServer server;

    private RedisServer(Path program, List<String> options) {
        List<String> command = new ArrayList<>(List.of(
                program.toString(),
                "--port",
                String.valueOf(port),
                "--bind",
                "127.0.0.1",
                "--save",
                "",
                "--appendonly",
                "yes",
                "--appendfsync",
                "always",
                "--dir",
                home.root().toString(),
                // Setting the title would overwrite the environment, with the mark that the reaper looks for.
                "--set-proc-title",
                "no"));
        command.addAll(options);
        server = new SystemServer("redis", home, command, this::answers);
    }

    /** {@return whether Redis is installed; otherwise tests are skipped} */
    public static boolean isInstalled() {
        return program().isPresent();
    }

    /** {@return the reason for skipping tests, for the message of an assumption} */
    public static String missing() {
        return "Redis is not installed: apt-get install --no-install-recommends redis-server";
    }

    private static Optional<Path> program() {
        return SystemServer.program("/usr/bin", "redis-server");
    }

    /**
     * Starts a server.
     *
     * @param options command line options, such as {@code --requirepass}, {@code secret}, each an argument
     * @return the running server
     */
    public static RedisServer start(String... options) {
        Path program = program().orElseThrow(() -> new ServerException(missing()));
        RedisServer server = new RedisServer(program, List.of(options));
        try {
            server.startAgain();
            return server;
        } catch (RuntimeException | Error e) {
            server.close();
            throw e;
        }
    }

    /** Returns whether the server answers with anything except "still loading": a server that requires a password is up too. */
    private boolean answers() throws IOException {
        try (Socket socket = new Socket(InetAddress.getByName("127.0.0.1"), port)) {
            socket.setSoTimeout(1_000);
            socket.getOutputStream().write("PING\r\n".getBytes(StandardCharsets.US_ASCII));
            InputStream in = socket.getInputStream();
            byte[] answer = new byte[8];
            int length = in.read(answer);
            return length > 0 && !new String(answer, 0, length, StandardCharsets.US_ASCII).startsWith("-LOADING");
        }
    }

    /** {@return the server's port on 127.0.0.1} */
    public int port() {
        return port;
    }

    /** Restarts the server after it was stopped or killed. Returns when the server answers. */
    public void startAgain() {
        server.start();
    }

    /** Stops the server in an orderly way. */
    public void stop() {
        server.stop();
    }

    /** Kills the server as a crash would. */
    public void kill() {
        server.kill();
    }

    /** Ends the server, and removes its directory. */
    @Override
    public void close() {
        server.end();
        home.close();
    }
}
