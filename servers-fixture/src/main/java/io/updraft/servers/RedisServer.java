package io.updraft.servers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A real Redis server on this host, from the system's package. It writes each command to its log on disk before it answers.
 * Answered commands therefore survive {@link #kill} and {@link #startAgain}.
 */
public final class RedisServer extends LocalServer {

    private final List<String> options;

    private RedisServer(List<String> options) {
        super("redis");
        this.options = options;
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
        return program("/usr/bin", "redis-server");
    }

    /**
     * Starts a server.
     *
     * @param options command line options, such as {@code --requirepass}, {@code secret}, each an argument
     * @return the running server
     */
    public static RedisServer start(String... options) {
        return start(new RedisServer(List.of(options)));
    }

    @Override
    List<String> command() {
        Path program = program().orElseThrow(() -> new ServerException(missing()));
        List<String> command = new ArrayList<>(List.of(program.toString(), "--port", String.valueOf(port)));
        command.addAll(List.of("--bind", "127.0.0.1", "--dir", home.root().toString()));
        command.addAll(List.of("--save", "", "--appendonly", "yes", "--appendfsync", "always"));
        // Setting the title would overwrite the environment, with the mark that the reaper looks for.
        command.addAll(List.of("--set-proc-title", "no"));
        command.addAll(options);
        return command;
    }

    /** Returns whether the server answers with anything except "still loading": a server that requires a password is up too. */
    @Override
    boolean answers() throws IOException {
        try (Socket socket = new Socket(InetAddress.getByName("127.0.0.1"), port)) {
            socket.setSoTimeout(1_000);
            socket.getOutputStream().write("PING\r\n".getBytes(StandardCharsets.US_ASCII));
            byte[] answer = new byte[8];
            int length = socket.getInputStream().read(answer);
            return length > 0 && !new String(answer, 0, length, StandardCharsets.US_ASCII).startsWith("-LOADING");
        }
    }
}
