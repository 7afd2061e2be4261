package io.updraft.cluster.local;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A worker's JVM, seen from outside: its output, line by line, and its end. What it prints waits in the pipe while nobody
 * takes it, so that a worker that prints much is slowed down instead of filling memory.
 */
final class WorkerProcess {
    private static final long LAST_LINES_MILLIS = 2_000;

    private final Process process;
    private final List<Thread> readers;
    private volatile String complaint = "";
    private volatile String dumpTrouble = "";

    private WorkerProcess(Process process, String prefix, WorkerOutput output) {
        this.process = process;
        readers = List.of(
                reader(process.getInputStream(), prefix + "stdout", line -> {
                    dumpTrouble = isDumpTrouble(line) ? line : dumpTrouble;
                    output.out(prefix + line);
                }),
                reader(process.getErrorStream(), prefix + "stderr", line -> {
                    complaint = complaint.isEmpty() && isComplaint(line) ? line : complaint;
                    output.err(prefix + line);
                }));
    }

    /**
     * Starts a process. It shares this one's standard input, for the sake of spouts that read it.
     *
     * @param command its command line
     * @param environment added to this process' environment
     * @param prefix goes before each line that it prints
     * @param output takes the lines
     */
    static WorkerProcess start(
            List<String> command, Map<String, String> environment, String prefix, WorkerOutput output)
            throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectInput(ProcessBuilder.Redirect.INHERIT);
        builder.environment().putAll(environment);
        return new WorkerProcess(builder.start(), prefix, output);
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Completes with the exit code when the process is gone and all that it printed was passed on. */
    CompletableFuture<Integer> onExit() {
        return process.onExit().thenApply(ended -> {
            awaitLastLines();
            return ended.exitValue();
        });
    }

    /** {@return the first line on its standard error that is no mere warning of the JVM's, or an empty string} */
    String complaint() {
        return complaint;
    }

    /** {@return why there is no heap dump, or only a part of it, as the JVM said on its standard output; or an empty string} */
    String dumpTrouble() {
        return dumpTrouble;
    }

    private static boolean isDumpTrouble(String line) {
        return line.startsWith("Dump file is incomplete: ") || line.startsWith("Unable to create ");
    }

    private static boolean isComplaint(String line) {
        return !line.isBlank() && !line.contains("warning:") && !line.contains("Picked up ");
    }

    void kill() {
        process.destroyForcibly();
    }

    /** A grandchild may hold the pipe open: it is not waited for. */
    private void awaitLastLines() {
        try {
            long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(LAST_LINES_MILLIS);
            for (Thread reader : readers) {
                long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
                reader.join(Math.max(1, left));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static Thread reader(InputStream in, String name, Consumer<String> lines) {
        Thread thread = new Thread(() -> read(in, lines), name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private static void read(InputStream in, Consumer<String> lines) {
        try (in) {
            LineReader reader = new LineReader(new InputStreamReader(in, Charset.defaultCharset()));
            for (String line = reader.next(); line != null; line = reader.next()) {
                lines.accept(line);
            }
        } catch (IOException e) {
            // The process is gone, and so is what it did not get out.
        }
    }
}
