package io.updraft.cluster.local;

import io.updraft.base.thread.DaemonThreads;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.Charset;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The JVM of a worker as its coordinator sees it: its output, line by line, and its end. Output waits in the pipe until the
 * receiver takes it. A worker that prints much is therefore slowed down and does not fill memory.
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
     * Starts a process. It shares this process' standard input, for spouts that read it.
     *
     * @param environment the variables added to this process' environment
     * @param prefix the text before each line that the process prints
     * @param output receives the lines
     * @throws IOException when it cannot be started
     */
    public static WorkerProcess start(
            List<String> command, Map<String, String> environment, String prefix, WorkerOutput output)
            throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectInput(ProcessBuilder.Redirect.INHERIT);
        builder.environment().putAll(environment);
        return new WorkerProcess(builder.start(), prefix, output);
    }

    /** {@return the process id} */
    public long pid() {
        return process.pid();
    }

    /** {@return whether the process runs} */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** {@return a future that completes with the exit code when the process has ended and all of its output has been passed on} */
    public CompletableFuture<Integer> onExit() {
        return process.onExit().thenApply(ended -> {
            awaitLastLines();
            return ended.exitValue();
        });
    }

    /** {@return the first line on its standard error that is not just a warning of the JVM, or an empty string} */
    public String complaint() {
        return complaint;
    }

    /** {@return the JVM's message why there is no heap dump, or only a part of it; or an empty string} */
    String dumpTrouble() {
        return dumpTrouble;
    }

    private static boolean isDumpTrouble(String line) {
        return line.startsWith("Dump file is incomplete: ") || line.startsWith("Unable to create ");
    }

    private static boolean isComplaint(String line) {
        return !line.isBlank() && !line.contains("warning:") && !line.contains("Picked up ");
    }

    public void kill() {
        process.destroyForcibly();
    }

    /** Waits for the last lines, two seconds at most: a grandchild process may hold the pipe open. */
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
        return DaemonThreads.start(name, () -> read(in, lines));
    }

    private static void read(InputStream in, Consumer<String> lines) {
        try (in) {
            BoundedLineReader reader = new BoundedLineReader(new InputStreamReader(in, Charset.defaultCharset()));
            for (String line = reader.next(); line != null; line = reader.next()) {
                lines.accept(line);
            }
        } catch (IOException e) {
            // The process has ended; the output left in the pipe is lost.
        }
    }

    /** Reads lines of bounded length. A longer line is returned in pieces. */
    static final class BoundedLineReader {
        static final int MAX_CHARS = 16 * 1024;

        private final BufferedReader in;

        BoundedLineReader(Reader in) {
            this.in = new BufferedReader(in);
        }

        /** {@return the next line without its line end, or null at the end of the input} */
        String next() throws IOException {
            StringBuilder line = new StringBuilder();
            int read = in.read();
            if (read < 0) {
                return null;
            }
            while (read >= 0 && read != '\n') {
                line.append((char) read);
                if (line.length() == MAX_CHARS) {
                    break;
                }
                read = in.read();
            }
            int last = line.length() - 1;
            if (last >= 0 && line.charAt(last) == '\r') {
                line.setLength(last);
            }
            return line.toString();
        }
    }
}
