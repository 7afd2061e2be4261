package io.updraft.bench.aggregate.run;

import io.updraft.bench.aggregate.peer.PeerMain;
import io.updraft.bench.aggregate.peer.Usage;
import io.updraft.bench.spec.Json;
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
import java.util.Map;
import java.util.stream.Stream;

/**
 * A JVM that runs one job. All children have the same {@code java} and collector. The child's output goes to a log file in its
 * own directory. The child ends when this JVM ends for any reason. Used by one thread; an internal thread reads the child's
 * output.
 */
public final class ChildJvm implements AutoCloseable {

    /** The log4j2 configuration of the bench's JVMs, which logs warnings. */
    public static final String LOGGING = "classpath:io/updraft/bench/aggregate/log.xml";

    private static final long END_SECONDS = 120;
    private static final int TAIL = 25;

    private final Path directory;
    private final Process process;
    private final Thread reader;
    private final List<Usage> samples = new ArrayList<>();
    private String title = "";
    private Map<String, Object> settings = Map.of();
    private String problem;
    private Map<String, Object> end;

    /**
     * Starts a JVM.
     *
     * @param main the main class, which prints reports as lines that begin with {@link PeerMain#MARK}
     * @param job the job, sent as the first line of input
     * @param heap the heap, such as {@code 2g}
     * @param classPath the class path
     * @throws IOException when the JVM cannot be started
     */
    public ChildJvm(Class<?> main, String job, String heap, String classPath) throws IOException {
        this(main, job, heap, classPath, Files.createTempDirectory("updraft-bench-"), List.of());
    }

    /**
     * Starts a JVM in a given directory.
     *
     * @param main the main class, which prints reports as lines that begin with {@link PeerMain#MARK}
     * @param job the job, sent as the first line of input
     * @param heap the heap, such as {@code 2g}
     * @param classPath the class path
     * @param directory an existing empty directory; deleted when the child ended without a problem
     * @param options further JVM options
     * @throws IOException when the JVM cannot be started
     */
    ChildJvm(Class<?> main, String job, String heap, String classPath, Path directory, List<String> options)
            throws IOException {
        this.directory = directory;
        Path temporary = Files.createDirectory(directory.resolve("tmp"));
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xms" + heap, "-Xmx" + heap, "-XX:+UseParallelGC", "-Djava.io.tmpdir=" + temporary));
        for (String opened :
                List.of("java.lang", "java.util", "java.time", "java.net", "java.nio", "jdk.internal.misc")) {
            command.add("--add-opens=java.base/" + opened + "=ALL-UNNAMED");
        }
        command.add("-Dlog4j2.configurationFile=" + LOGGING);
        command.addAll(options);
        command.addAll(List.of("-cp", classPath, main.getName()));
        process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        reader = new Thread(this::read, "bench-child-reader");
        reader.setDaemon(true);
        reader.start();
        say(job);
    }

    /** {@return the log file} */
    public Path log() {
        return directory.resolve("child.log");
    }

    /** {@return the child's process} */
    public ProcessHandle process() {
        return process.toHandle();
    }

    /** {@return the name and version of the peer; empty before the child has reported it} */
    public synchronized String title() {
        return title;
    }

    /** {@return the peer's settings; empty before the child has reported them} */
    public synchronized Map<String, Object> settings() {
        return settings;
    }

    /** {@return the usage samples that the child has reported so far} */
    public synchronized List<Usage> samples() {
        return List.copyOf(samples);
    }

    /** {@return the child's problem; null if there is none} */
    public synchronized String problem() {
        if (problem == null && end == null && !process.isAlive()) {
            return "the child JVM ended unexpectedly with status " + process.exitValue();
        }
        return problem;
    }

    /** {@return the child's total usage; tells the child to end} */
    public Usage end() throws InterruptedException {
        say(PeerMain.END);
        return Usage.fromJson(await(Duration.ofSeconds(END_SECONDS)));
    }

    /**
     * Waits for the end of the child.
     *
     * @param limit how long to wait
     * @return the child's last report
     * @throws IllegalStateException when the child ends without a report, or does not end in time; the message has the end of
     *     its log
     */
    public Map<String, Object> await(Duration limit) throws InterruptedException {
        reader.join(limit.toMillis());
        synchronized (this) {
            if (end == null) {
                problem = "the child JVM " + (process.isAlive() ? "does not end" : "ended without a report");
                throw new IllegalStateException(problem + "; the log " + log() + " ends with\n" + tail());
            }
            return end;
        }
    }

    /** {@return the last 25 lines of the log} */
    public String tail() {
        try (Stream<String> lines = Files.lines(log())) {
            List<String> all = lines.toList();
            return String.join("\n", all.subList(Math.max(0, all.size() - TAIL), all.size()));
        } catch (IOException | UncheckedIOException e) {
            return "the log cannot be read: " + e;
        }
    }

    private void say(String line) {
        try {
            process.outputWriter(StandardCharsets.UTF_8)
                    .append(line)
                    .append('\n')
                    .flush();
        } catch (IOException e) {
            // the child has ended; problem() reports that
        }
    }

    private void read() {
        try (PrintWriter log = new PrintWriter(Files.newBufferedWriter(log()), true);
                BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith(PeerMain.MARK)) {
                    hear(Json.readObject(line.substring(PeerMain.MARK.length())));
                } else {
                    log.println(line);
                }
            }
        } catch (IOException e) {
            // handled like the end of the output
        }
    }

    @SuppressWarnings("unchecked")
    private synchronized void hear(Map<String, Object> said) {
        switch ((String) said.get("what")) {
            case "started" -> {
                title = (String) said.get("title");
                settings = (Map<String, Object>) said.get("settings");
            }
            case "sample" -> samples.add(Usage.fromJson(said));
            case "end" -> end = said;
            default -> problem = (String) said.get("problem");
        }
    }

    /** Kills the child, as {@code kill -9} does. Its log is kept. */
    void kill() throws IOException {
        process.destroyForcibly().onExit().join();
        joinReader();
        delete(directory.resolve("tmp"));
    }

    /** {@return the last usage sample; all zero if there is none yet} */
    Usage last() {
        List<Usage> told = samples();
        return told.isEmpty() ? new Usage(0, 0, 0, 0, 0, 0) : told.get(told.size() - 1);
    }

    /** Kills the child, and deletes its directory unless there was a problem. */
    @Override
    public void close() throws IOException {
        boolean wrong = problem() != null;
        process.destroyForcibly().onExit().join();
        joinReader();
        delete(wrong ? directory.resolve("tmp") : directory);
    }

    private void joinReader() {
        try {
            reader.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void delete(Path tree) throws IOException {
        try (Stream<Path> files = Files.walk(tree)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
