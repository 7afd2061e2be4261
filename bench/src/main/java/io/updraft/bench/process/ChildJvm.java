package io.updraft.bench.process;

import io.updraft.base.json.Json;
import io.updraft.base.thread.DaemonThreads;
import io.updraft.bench.spec.ChildReport;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A child JVM of the bench. It reads a job in JSON from each line of its standard input and answers with {@link ChildReport}s; all
 * other output goes to a log file. All children have the same {@code java} and collector, and end when this JVM ends for any
 * reason. Used by one thread; an internal thread reads the child's output, so that a child that prints never blocks.
 */
public final class ChildJvm implements AutoCloseable {

    private static final int TAIL = 25;
    private static final long END_SECONDS = 10;
    /** A cluster of several processes takes several seconds to end. */
    private static final long CLOSE_SECONDS = 30;

    private static final ChildReport OVER = new ChildReport("over", "");

    private final Path directory;
    private final Path temporary;
    private final Path log;
    private final Process process;
    private final BlockingQueue<ChildReport> reports = new LinkedBlockingQueue<>();
    private final Thread hook = new Thread(this::end);
    private boolean logKept;

    /**
     * Starts a JVM.
     *
     * @param main the main class
     * @param heap the heap, such as {@code 2g}
     * @param options further JVM options
     */
    public ChildJvm(Class<?> main, String classPath, String heap, List<String> options) throws IOException {
        directory = Files.createTempDirectory("updraft-bench-");
        log = directory.resolve("child.log");
        temporary = Files.createDirectories(directory.resolve("tmp"));
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xms" + heap,
                "-Xmx" + heap,
                "-XX:+UseParallelGC",
                "-Djava.io.tmpdir=" + temporary.toAbsolutePath()));
        command.addAll(options);
        command.addAll(List.of("-cp", classPath, main.getName()));
        process = new ProcessBuilder(command).redirectErrorStream(true).start();
        Runtime.getRuntime().addShutdownHook(hook);
        DaemonThreads.start("bench-child-reader", this::read);
    }

    /** {@return the child's log, which stays when the child is closed} */
    public Path keepLog() {
        logKept = true;
        return log;
    }

    private void read() {
        try (PrintWriter copy = new PrintWriter(Files.newBufferedWriter(log), true);
                BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                ChildReport.in(line).ifPresentOrElse(reports::add, logger(copy, line));
            }
        } catch (IOException e) {
            // handled like the end of the output
        } finally {
            reports.add(OVER);
        }
    }

    private static Runnable logger(PrintWriter copy, String line) {
        return () -> copy.println(line);
    }

    /** Sends a job, or a command, in JSON. Does nothing if the child has ended. */
    public void say(Object job) {
        try {
            process.outputWriter(StandardCharsets.UTF_8)
                    .append(Json.write(job))
                    .append('\n')
                    .flush();
        } catch (IOException e) {
            // the child has ended, which its reader notices
        }
    }

    /**
     * Waits for the child's next report.
     *
     * @throws ChildLost when the child ends without a report, or has none in time and is killed
     */
    public ChildReport await(Duration limit) throws InterruptedException {
        ChildReport report = poll(limit);
        if (report == null) {
            process.destroyForcibly();
            throw lost("the child JVM hung and was killed without a result");
        }
        return report;
    }

    /**
     * Waits for the child's next report.
     *
     * @return the report; null if there is none in time
     * @throws ChildLost when the child ends without a report
     */
    public ChildReport poll(Duration limit) throws InterruptedException {
        ChildReport report = reports.poll(limit.toNanos(), TimeUnit.NANOSECONDS);
        if (report == OVER) {
            boolean ended = process.waitFor(END_SECONDS, TimeUnit.SECONDS);
            throw lost("the child JVM " + (ended ? "ended with status " + process.exitValue() : "closed its output")
                    + " without a result");
        }
        return report;
    }

    /** {@return the exception for a child with a problem} */
    public ChildLost lost(String problem) {
        return new ChildLost(problem + "; its log " + keepLog() + " ends with\n" + tail());
    }

    private String tail() {
        try (Stream<String> lines = Files.lines(log)) {
            List<String> all = lines.toList();
            return String.join("\n", all.subList(Math.max(0, all.size() - TAIL), all.size()));
        } catch (IOException | UncheckedIOException e) {
            return "the log cannot be read: " + e;
        }
    }

    /**
     * Closes the child's input, which makes the child end its workers and itself. Kills a child that does not end in 30 s. Then
     * deletes the child's files, except a kept log. Idempotent.
     */
    @Override
    public void close() throws IOException {
        end();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // this JVM is shutting down; the hook ends the child
        }
        delete(logKept ? temporary : directory);
    }

    private static void delete(Path tree) throws IOException {
        if (Files.exists(tree)) {
            try (Stream<Path> files = Files.walk(tree)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }

    private void end() {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            // the child has already closed its input
        }
        try {
            process.waitFor(CLOSE_SECONDS, TimeUnit.SECONDS);
            process.destroyForcibly().waitFor();
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
