package io.updraft.bench.process;

import io.updraft.base.json.Json;
import io.updraft.bench.child.ChildMain;
import io.updraft.bench.spec.ProgressRow;
import io.updraft.bench.spec.RunResult;
import io.updraft.bench.spec.RunSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A child JVM that executes runs. All children have the same {@code java} and collector. Their output goes to a log file. If
 * the child dies or hangs, the result is invalid and names the log. A child executes one run in its own process, or several
 * runs in worker processes, one after the other. Used by one thread.
 */
public final class HarnessJvm implements AutoCloseable {

    private static final Duration OVERHEAD = Duration.ofSeconds(330);
    private static final long END_SECONDS = 10;
    /** A cluster of several processes takes several seconds to end. */
    private static final long CLOSE_SECONDS = 30;

    private static final String END = "";

    private final String classPath;
    private final String heap;
    private final Path directory;
    private final List<String> options;
    private final BlockingQueue<String> said = new LinkedBlockingQueue<>();
    private ChildProcess child;
    private Thread hook;

    /**
     * @param classPath the child's class path
     * @param heap the child's heap, such as {@code 2g}
     * @param directory the child's directory, for its log and temporary files
     * @param options further JVM options
     */
    public HarnessJvm(String classPath, String heap, Path directory, List<String> options) {
        this.classPath = classPath;
        this.heap = heap;
        this.directory = directory;
        this.options = options;
    }

    public Path log() {
        return directory.resolve("child.log");
    }

    public Path directory() {
        return directory;
    }

    /**
     * Executes a run, in the running child or in a new one.
     *
     * @param rows receives the progress rows, on the calling thread
     */
    public RunResult run(RunSpec spec, Consumer<ProgressRow> rows) throws IOException, InterruptedException {
        if (child == null) {
            start();
        }
        child.say(Json.write(spec));
        Duration limit = OVERHEAD.plusMillis(spec.warmupMillis() + spec.testMillis());
        return follow(System.nanoTime() + limit.toNanos(), rows);
    }

    private void start() throws IOException {
        Path temporary = Files.createDirectories(directory.resolve("tmp"));
        List<String> all = new ArrayList<>(options);
        // For the aeron transport: the media driver of all local workers runs in this child.
        all.add("--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED");
        child = new ChildProcess(
                new ProcessBuilder(ChildProcess.jvm(heap, temporary, all, classPath, ChildMain.class)),
                log(),
                this::hear,
                () -> said.add(END));
        hook = new Thread(this::end);
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** The log has all lines, also those that report. */
    private boolean hear(String line) {
        if (line.contains(ChildMain.ROW) || line.contains(ChildMain.RESULT)) {
            said.add(line);
        }
        return false;
    }

    private RunResult follow(long deadline, Consumer<ProgressRow> rows) throws IOException, InterruptedException {
        while (true) {
            String line = said.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (line == null || line.equals(END)) {
                return RunResult.failed(List.of(obituary(line == null)));
            } else if (line.contains(ChildMain.RESULT)) {
                return Json.read(after(ChildMain.RESULT, line), RunResult.class);
            }
            rows.accept(Json.read(after(ChildMain.ROW, line), ProgressRow.class));
        }
    }

    private static String after(String mark, String line) {
        return line.substring(line.indexOf(mark) + mark.length());
    }

    private String obituary(boolean hung) throws IOException, InterruptedException {
        Process process = child.process();
        if (hung) {
            process.destroyForcibly();
            child.join(TimeUnit.SECONDS.toMillis(END_SECONDS));
        }
        process.waitFor(END_SECONDS, TimeUnit.SECONDS);
        String end = hung
                ? "hung and was killed"
                : process.isAlive() ? "closed its output" : "ended with status " + process.exitValue();
        return "the child JVM " + end + " without a result; its log " + log() + " ends with\n" + child.tail();
    }

    /**
     * Closes the child's input, which makes the child end its workers and itself. Kills a child that does not end in 30 s.
     * Idempotent.
     */
    @Override
    public void close() {
        if (child != null) {
            end();
            child = null;
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException e) {
                // this JVM is shutting down; the hook ends the child
            }
        }
    }

    private void end() {
        Process ending = child.process();
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
