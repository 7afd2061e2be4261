package io.updraft.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A server whose program is installed on the system: its process, and the operations of tests on the process. If this JVM runs
 * as root, the server runs as an unprivileged user, because some servers require that.
 */
final class SystemServer {

    private static final Duration START = Duration.ofMinutes(5);
    private static final long POLL_MILLIS = 20;
    private static final String NOBODY = "nobody";

    /** Checks whether a server answers. */
    @FunctionalInterface
    interface Probe {
        /** Returns whether the server answers; an exception means no. */
        boolean answers() throws Exception;
    }

    private final String name;
    private final ServerHome home;
    private final List<String> command;
    private final Probe probe;
    private Process process;

    SystemServer(String name, ServerHome home, List<String> command, Probe probe) {
        this.name = name;
        this.home = home;
        this.command = command;
        this.probe = probe;
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

    /** Returns the command for a user that all servers accept: as nobody if this JVM runs as root, else unchanged. */
    static List<String> unprivileged(List<String> command) {
        if (!"root".equals(System.getProperty("user.name"))) {
            return command;
        }
        List<String> full =
                new ArrayList<>(List.of("setpriv", "--reuid", NOBODY, "--regid", "nogroup", "--clear-groups"));
        full.addAll(command);
        return full;
    }

    /** Gives a folder to the user of {@link #unprivileged}, and makes it reachable for that user. */
    static void handOver(Path home, Path folder) {
        if (!"root".equals(System.getProperty("user.name"))) {
            return;
        }
        run(List.of("chown", "-R", NOBODY, folder.toString()));
        run(List.of("chmod", "711", home.toString()));
    }

    /** Runs a command to its end. */
    static void run(List<String> command) {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().close();
            String said = new String(process.getInputStream().readAllBytes());
            if (process.waitFor() != 0) {
                throw new ServerException(String.join(" ", command) + " failed\n" + said);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot run " + command.get(0), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ServerException("interrupted while running " + command.get(0), e);
        }
    }

    /** Starts the server. Returns when it answers. */
    void start() {
        process = home.start(name, command);
        long deadline = System.nanoTime() + START.toNanos();
        while (!answers()) {
            if (!process.isAlive() || System.nanoTime() > deadline) {
                throw new ServerException(
                        name + (process.isAlive() ? " does not answer\n" : " ended\n") + home.tails());
            }
            pause();
        }
    }

    private boolean answers() {
        try {
            return probe.answers();
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

    /** Stops the server in an orderly way. */
    void stop() {
        process.destroy();
        await();
    }

    /** Kills the server as a crash would, with kill -9. */
    void kill() {
        process.destroyForcibly();
        await();
    }

    private void await() {
        try {
            if (!process.waitFor(START.toSeconds(), TimeUnit.SECONDS)) {
                throw new ServerException(name + " does not end\n" + home.tails());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ServerException("interrupted while ending " + name, e);
        }
    }

    /** Ends the server in any state, for good. */
    void end() {
        if (process != null && process.isAlive()) {
            kill();
        }
    }

    /** Returns the last started process. */
    Process process() {
        return process;
    }
}
