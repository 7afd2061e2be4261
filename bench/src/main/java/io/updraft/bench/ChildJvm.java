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
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * One run in a JVM of its own: the same {@code java}, heap and collector whatever runs in it. All it prints goes to a
 * log file; a child that dies or hangs gives an invalid result that names the log.
 */
final class ChildJvm {

    private static final Duration OVERHEAD = Duration.ofSeconds(330);
    private static final int TAIL = 20;

    private final String classPath;
    private final String heap;
    private final Path directory;
    private final Consumer<Progress> rows;

    /**
     * @param classPath what the child loads
     * @param heap its heap
     * @param directory a directory of the child's own, for its log and its temporary files
     * @param rows gets the rows of progress, on the calling thread
     */
    ChildJvm(String classPath, String heap, Path directory, Consumer<Progress> rows) {
        this.classPath = classPath;
        this.heap = heap;
        this.directory = directory;
        this.rows = rows;
    }

    RunResult run(RunSpec spec) throws IOException, InterruptedException {
        Path log = directory.resolve("child.log");
        Process process = start(spec);
        Thread hook = new Thread(process::destroyForcibly);
        Runtime.getRuntime().addShutdownHook(hook);
        Watchdog watchdog = new Watchdog(process, limit(spec));
        try {
            RunResult result = follow(process, log);
            return result == null ? RunResult.failed(obituary(process, watchdog, log)) : result;
        } finally {
            watchdog.stop();
            process.destroyForcibly().waitFor();
            Runtime.getRuntime().removeShutdownHook(hook);
        }
    }

    private Process start(RunSpec spec) throws IOException {
        Path temporary = Files.createDirectories(directory.resolve("tmp"));
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        List<String> command = List.of(
                java,
                "-Xms" + heap,
                "-Xmx" + heap,
                "-XX:+UseParallelGC",
                "-Djava.io.tmpdir=" + temporary,
                "-cp",
                classPath,
                ChildMain.class.getName(),
                spec.toJson());
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    private RunResult follow(Process process, Path log) throws IOException {
        try (BufferedReader lines =
                        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
                PrintWriter copy = new PrintWriter(log.toFile(), StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                copy.println(line);
                if (line.contains(ChildMain.ROW)) {
                    rows.accept(Progress.fromJson(after(ChildMain.ROW, line)));
                } else if (line.contains(ChildMain.RESULT)) {
                    return RunResult.fromJson(after(ChildMain.RESULT, line));
                }
            }
            return null;
        }
    }

    private static String after(String mark, String line) {
        return line.substring(line.indexOf(mark) + mark.length());
    }

    private static Duration limit(RunSpec spec) {
        return OVERHEAD.plusMillis(spec.warmupMillis() + spec.testMillis());
    }

    private static String obituary(Process process, Watchdog watchdog, Path log)
            throws IOException, InterruptedException {
        process.waitFor(10, TimeUnit.SECONDS);
        String end = watchdog.barked()
                ? "hung and was killed"
                : process.isAlive() ? "closed its output" : "ended with status " + process.exitValue();
        return "the child JVM " + end + " without a result; its log is " + log + " and ends with\n" + tail(log);
    }

    private static String tail(Path log) throws IOException {
        try (Stream<String> lines = Files.lines(log)) {
            List<String> all = lines.toList();
            return String.join("\n", all.subList(Math.max(0, all.size() - TAIL), all.size()));
        }
    }

    /** Kills a process that takes too long. */
    private static final class Watchdog {

        private final Thread thread;
        private volatile boolean barked;

        Watchdog(Process process, Duration limit) {
            thread = new Thread(() -> watch(process, limit), "child-watchdog");
            thread.setDaemon(true);
            thread.start();
        }

        private void watch(Process process, Duration limit) {
            try {
                if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                    barked = true;
                    process.destroyForcibly();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt(); // stopped: the child has answered
            }
        }

        boolean barked() {
            return barked;
        }

        void stop() {
            thread.interrupt();
        }
    }
}
