package io.updraft.bench;

import io.updraft.bench.child.ChildMain;
import io.updraft.bench.spec.Progress;
import io.updraft.bench.spec.RunResult;
import io.updraft.bench.spec.RunSpec;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A child JVM that executes runs. All children have the same {@code java} and collector. Their output goes to a log file. If
 * the child dies or hangs, the result is invalid and names the log. A child executes one run in its own process, or several
 * runs in worker processes, one after the other. Used by one thread.
 */
final class ChildJvm implements AutoCloseable {

    private static final Duration OVERHEAD = Duration.ofSeconds(330);
    private static final int TAIL = 20;
    private static final long END_SECONDS = 10;
    /** A cluster of several processes takes several seconds to end. */
    private static final long CLOSE_SECONDS = 30;

    private static final String END = "";

    private final String classPath;
    private final String heap;
    private final Path directory;
    private final List<String> options;
    private final BlockingQueue<String> said = new LinkedBlockingQueue<>();
    private Process process;
    private Thread hook;

    /**
     * @param classPath the child's class path
     * @param heap the child's heap, such as {@code 2g}
     * @param directory the child's directory, for its log and temporary files
     */
    ChildJvm(String classPath, String heap, Path directory) {
        this(classPath, heap, directory, List.of());
    }

    /**
     * @param classPath the child's class path
     * @param heap the child's heap, such as {@code 2g}
     * @param directory the child's directory, for its log and temporary files
     * @param options further JVM options
     */
    ChildJvm(String classPath, String heap, Path directory, List<String> options) {
        this.classPath = classPath;
        this.heap = heap;
        this.directory = directory;
        this.options = options;
    }

    Path log() {
        return directory.resolve("child.log");
    }

    Path directory() {
        return directory;
    }

    /**
     * Executes a run, in the running child or in a new one.
     *
     * @param spec the run
     * @param rows receives the progress rows, on the calling thread
     */
    RunResult run(RunSpec spec, Consumer<Progress> rows) throws IOException, InterruptedException {
        if (process == null) {
            start();
        }
        try {
            process.outputWriter(StandardCharsets.UTF_8)
                    .append(spec.toJson())
                    .append('\n')
                    .flush();
        } catch (IOException e) {
            // the child has ended; follow() reports that
        }
        Duration limit = OVERHEAD.plusMillis(spec.warmupMillis() + spec.testMillis());
        return follow(System.nanoTime() + limit.toNanos(), rows);
    }

    private void start() throws IOException {
        Path temporary = Files.createDirectories(directory.resolve("tmp"));
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        List<String> command = new ArrayList<>(List.of(
                java,
                "-Xms" + heap,
                "-Xmx" + heap,
                "-XX:+UseParallelGC",
                // For the aeron transport: the media driver of all local workers runs in this child.
                "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
                "-Djava.io.tmpdir=" + temporary));
        command.addAll(options);
        command.addAll(List.of("-cp", classPath, ChildMain.class.getName()));
        process = new ProcessBuilder(command).redirectErrorStream(true).start();
        hook = new Thread(this::end);
        Runtime.getRuntime().addShutdownHook(hook);
        PrintWriter copy = new PrintWriter(log().toFile(), StandardCharsets.UTF_8);
        Thread reader = new Thread(() -> read(copy), "child-reader");
        reader.setDaemon(true);
        reader.start();
    }

    /** Copies the child's output to the log. Runs on its own thread, so that a child that prints between runs never blocks. */
    private void read(PrintWriter copy) {
        try (copy;
                BufferedReader lines =
                        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                copy.println(line);
                if (line.contains(ChildMain.ROW) || line.contains(ChildMain.RESULT)) {
                    said.add(line);
                }
            }
        } catch (IOException e) {
            // handled like the end of the output
        } finally {
            said.add(END);
        }
    }

    private RunResult follow(long deadline, Consumer<Progress> rows) throws IOException, InterruptedException {
        while (true) {
            String line = said.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (line == null || line.equals(END)) {
                return RunResult.failed(List.of(obituary(line == null)));
            } else if (line.contains(ChildMain.RESULT)) {
                return RunResult.fromJson(after(ChildMain.RESULT, line));
            }
            rows.accept(Progress.fromJson(after(ChildMain.ROW, line)));
        }
    }

    private static String after(String mark, String line) {
        return line.substring(line.indexOf(mark) + mark.length());
    }

    private String obituary(boolean hung) throws IOException, InterruptedException {
        if (hung) {
            process.destroyForcibly();
            awaitEnd();
        }
        process.waitFor(END_SECONDS, TimeUnit.SECONDS);
        String end = hung
                ? "hung and was killed"
                : process.isAlive() ? "closed its output" : "ended with status " + process.exitValue();
        return "the child JVM " + end + " without a result; its log " + log() + " ends with\n" + tail();
    }

    private void awaitEnd() throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(END_SECONDS);
        String line = said.poll(END_SECONDS, TimeUnit.SECONDS);
        while (line != null && !line.equals(END)) {
            line = said.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        }
    }

    private String tail() throws IOException {
        try (Stream<String> lines = Files.lines(log())) {
            List<String> all = lines.toList();
            return String.join("\n", all.subList(Math.max(0, all.size() - TAIL), all.size()));
        }
    }

    /**
     * Closes the child's input, which makes the child end its workers and itself. Kills a child that does not end in 30 s.
     * Idempotent.
     */
    @Override
    public void close() {
        if (process != null) {
            end();
            process = null;
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException e) {
                // this JVM is shutting down; the hook ends the child
            }
        }
    }

    private void end() {
        Process ending = process;
        try {
            ending.getOutputStream().close();
        } catch (IOException e) {
            // the child has already closed its input
        }
        try {
            ending.waitFor(CLOSE_SECONDS, TimeUnit.SECONDS);
            ending.destroyForcibly().waitFor();
        } catch (InterruptedException e) {
            ending.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
