package io.updraft.servers;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The directory of one server or cluster of servers, and its reaper: a shell at the other end of a pipe to this JVM. When the
 * pipe breaks, the reaper kills every process with the directory's mark in its environment, and removes the directory. The
 * kernel breaks the pipe even after kill -9 of this JVM.
 *
 * <p>{@code -Dupdraft.servers.keep=true} keeps the directory with its logs.
 */
final class ServerHome implements AutoCloseable {

    private static final String VARIABLE = "UPDRAFT_SERVER";
    private static final int TAIL_BYTES = 4_000;
    private static final long REAPING_SECONDS = 60;

    /**
     * The reaper's script. It ignores Ctrl-C, which reaches the shell as well as the test JVM: the shell must outlive the JVM
     * by a moment.
     */
    private static final String REAP = """
            trap '' INT TERM HUP
            while read -r line; do :; done
            for round in 1 2; do
                for p in /proc/[0-9]*; do
                    grep -qsaF "UPDRAFT_SERVER=$1" "$p/environ" && kill -9 "${p#/proc/}" 2>/dev/null
                done
            done
            # PostgreSQL's shared memory outlives its processes, and is not in the directory.
            [ ! -r "$1/data/postmaster.pid" ] ||
                ipcrm -m "$(sed -n '7s/^ *[0-9]* *//p' "$1/data/postmaster.pid")" 2>/dev/null
            [ "$2" = true ] || for round in 1 2 3; do rm -rf "$1" 2>/dev/null && break; done
            """;

    private final Path root;
    private final Process reaper;
    private final Queue<Process> started = new ConcurrentLinkedQueue<>();

    ServerHome(String name) {
        try {
            root = Files.createTempDirectory("updraft-" + name + "-");
            Files.createDirectory(logs());
            reaper = new ProcessBuilder(
                            "sh",
                            "-c",
                            REAP,
                            "reaper",
                            root.toString(),
                            System.getProperty("updraft.servers.keep", "false"))
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot prepare a directory for " + name, e);
        }
    }

    Path root() {
        return root;
    }

    Path logs() {
        return root.resolve("logs");
    }

    /** Starts a process with the mark. Its output is appended to a file of the given name among the logs. */
    Process start(String name, List<String> command) {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(root.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        logs().resolve(name + ".log").toFile()));
        builder.environment().put(VARIABLE, root.toString());
        try {
            Process process = builder.start();
            started.add(process);
            process.getOutputStream().close();
            return process;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start " + name, e);
        }
    }

    /** Sends a signal, such as STOP or CONT. Returns when the signal is sent. */
    static void signal(Process process, String signal) {
        try {
            Process kill = new ProcessBuilder("sh", "-c", "kill -" + signal + " " + process.pid()).start();
            if (kill.waitFor() != 0) {
                throw new ServerException("cannot send " + signal + " to process " + process.pid());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ServerException("interrupted while sending " + signal, e);
        }
    }

    /** Returns the end of each log, with its name. */
    String tails() {
        try (Stream<Path> files = Files.list(logs())) {
            return files.sorted()
                    .map(file -> "--- " + file.getFileName() + "\n" + tail(file))
                    .collect(Collectors.joining("\n"));
        } catch (IOException e) {
            return "no logs: " + e;
        }
    }

    private static String tail(Path file) {
        try (RandomAccessFile log = new RandomAccessFile(file.toFile(), "r")) {
            long skipped = Math.max(0, log.length() - TAIL_BYTES);
            byte[] end = new byte[(int) (log.length() - skipped)];
            log.seek(skipped);
            log.readFully(end);
            return (skipped > 0 ? "..." : "") + new String(end, StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "cannot be read: " + e;
        }
    }

    /**
     * Kills all processes with the mark, and removes the directory. Returns when all processes that were started here have
     * ended.
     */
    @Override
    public void close() {
        try {
            reaper.getOutputStream().close();
            if (!reaper.waitFor(REAPING_SECONDS, TimeUnit.SECONDS)) {
                reaper.destroyForcibly();
            }
            for (Process process : started) {
                // The process was killed; on a busy machine its end takes time.
                process.waitFor(REAPING_SECONDS, TimeUnit.SECONDS);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot end the reaper", e);
        } catch (InterruptedException e) {
            reaper.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
