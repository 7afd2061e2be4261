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
 * A JVM that runs one job: the same {@code java}, heap and collector whatever runs in it. All it prints goes to a log file
 * in a directory of its own. It ends when this JVM does, however that ends. Threads: one, and one of its own that reads.
 */
public final class ChildJvm implements AutoCloseable {

    /** Logging of a JVM of the bench: what is worth a warning. */
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
     * @param main its main class, which tells of itself by lines that begin with {@link PeerMain#MARK}
     * @param job what to do: its first line of input
     * @param heap its heap, such as {@code 2g}
     * @param classPath what it loads
     * @throws IOException when it cannot be started
     */
    public ChildJvm(Class<?> main, String job, String heap, String classPath) throws IOException {
        this(main, job, heap, classPath, Files.createTempDirectory("updraft-bench-"), List.of());
    }

    /**
     * Starts a JVM in a directory of one's choice.
     *
     * @param main its main class, which tells of itself by lines that begin with {@link PeerMain#MARK}
     * @param job what to do: its first line of input
     * @param heap its heap, such as {@code 2g}
     * @param classPath what it loads
     * @param directory is there, and empty; gone when it ended well
     * @param options more options of the JVM
     * @throws IOException when it cannot be started
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

    /** {@return where its output is kept} */
    public Path log() {
        return directory.resolve("child.log");
    }

    /** {@return its process} */
    public ProcessHandle process() {
        return process.toHandle();
    }

    /** {@return what runs in it, once it has told; empty before} */
    public synchronized String title() {
        return title;
    }

    /** {@return how it is set up, once it has told} */
    public synchronized Map<String, Object> settings() {
        return settings;
    }

    /** {@return what it has told so far of what it used} */
    public synchronized List<Usage> samples() {
        return List.copyOf(samples);
    }

    /** {@return what is wrong with it; null if it is well} */
    public synchronized String problem() {
        if (problem == null && end == null && !process.isAlive()) {
            return "the child JVM ended by itself with status " + process.exitValue();
        }
        return problem;
    }

    /** {@return what it has used in all; tells it to end} */
    public Usage end() throws InterruptedException {
        say(PeerMain.END);
        return Usage.fromJson(await(Duration.ofSeconds(END_SECONDS)));
    }

    /**
     * Waits for its end.
     *
     * @param limit for how long
     * @return the last it told
     * @throws IllegalStateException when it ends without a word, or not at all; with the end of its log
     */
    public Map<String, Object> await(Duration limit) throws InterruptedException {
        reader.join(limit.toMillis());
        synchronized (this) {
            if (end == null) {
                problem = "the child JVM " + (process.isAlive() ? "does not end" : "ended without a word");
                throw new IllegalStateException(problem + "; the log " + log() + " ends with\n" + tail());
            }
            return end;
        }
    }

    /** {@return the last lines of its log} */
    public String tail() {
        try (Stream<String> lines = Files.lines(log())) {
            List<String> all = lines.toList();
            return String.join("\n", all.subList(Math.max(0, all.size() - TAIL), all.size()));
        } catch (IOException | UncheckedIOException e) {
            return "no log: " + e;
        }
    }

    private void say(String line) {
        try {
            process.outputWriter(StandardCharsets.UTF_8)
                    .append(line)
                    .append('\n')
                    .flush();
        } catch (IOException e) {
            // It has ended, which problem() tells.
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
            // As good as the end.
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

    /** Kills it, as {@code kill -9} does; its log is kept. */
    void kill() throws IOException {
        process.destroyForcibly().onExit().join();
        joinReader();
        delete(directory.resolve("tmp"));
    }

    /** {@return what it told last; nothing if it has not told yet} */
    Usage last() {
        List<Usage> told = samples();
        return told.isEmpty() ? new Usage(0, 0, 0, 0, 0, 0) : told.get(told.size() - 1);
    }

    /** Ends it, and removes its directory unless something went wrong. */
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
