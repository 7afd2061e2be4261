package io.updraft.bench.process;

import io.updraft.base.thread.DaemonThreads;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** A process whose output goes to a log file, apart from lines that report to this JVM. */
public final class ChildProcess {

    private static final int TAIL = 25;

    private final Process process;
    private final Path log;
    private final Thread reader;

    /** {@return the command line of a JVM that uses the parallel collector} */
    public static List<String> jvm(String heap, Path temporary, List<String> options, String classPath, Class<?> main) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xms" + heap,
                "-Xmx" + heap,
                "-XX:+UseParallelGC",
                "-Djava.io.tmpdir=" + temporary));
        command.addAll(options);
        command.addAll(List.of("-cp", classPath, main.getName()));
        return command;
    }

    /**
     * Starts a process. A daemon thread reads its output, so that a child that prints never blocks.
     *
     * @param builder the command and the working directory
     * @param report called with each line, on the reading thread; returns whether the line is kept out of the log
     * @param ended called on the reading thread at the end of the output
     */
    public ChildProcess(ProcessBuilder builder, Path log, Predicate<String> report, Runnable ended) throws IOException {
        this.log = log;
        process = builder.redirectErrorStream(true).start();
        reader = DaemonThreads.create("bench-child-reader", () -> read(report, ended));
        reader.start();
    }

    private void read(Predicate<String> report, Runnable ended) {
        try (PrintWriter copy = new PrintWriter(Files.newBufferedWriter(log), true);
                BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (!report.test(line)) {
                    copy.println(line);
                }
            }
        } catch (IOException e) {
            // handled like the end of the output
        } finally {
            ended.run();
        }
    }

    /** Sends a line to the child. Does nothing if the child has ended. */
    public void say(String line) {
        try {
            process.outputWriter(StandardCharsets.UTF_8)
                    .append(line)
                    .append('\n')
                    .flush();
        } catch (IOException e) {
            // the child has ended, which its reader notices
        }
    }

    public Process process() {
        return process;
    }

    /** Waits for the end of the output. */
    public void join(long millis) throws InterruptedException {
        reader.join(millis);
    }

    /** Kills the child, as {@code kill -9} does, and waits for the end of its output. */
    public void kill() {
        process.destroyForcibly().onExit().join();
        try {
            reader.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** {@return the last 25 lines of the log} */
    public String tail() {
        try (Stream<String> lines = Files.lines(log)) {
            List<String> all = lines.toList();
            return String.join("\n", all.subList(Math.max(0, all.size() - TAIL), all.size()));
        } catch (IOException | UncheckedIOException e) {
            return "the log cannot be read: " + e;
        }
    }
}
