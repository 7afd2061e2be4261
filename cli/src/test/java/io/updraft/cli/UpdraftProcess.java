package io.updraft.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Runs the command as users do, in a separate process. */
public final class UpdraftProcess {
    /** Tests have limits of their own, of a minute or ten. */
    private static final long LIMIT_SECONDS = 300;

    private static final long POLL_MILLIS = 100;

    private static final int NATIVE_ACCESS_FROM = 24;

    private final Process process;
    private final List<String> out = new ArrayList<>();
    private final List<String> err = new ArrayList<>();
    private final List<Thread> readers;

    private UpdraftProcess(Process process) {
        this.process = process;
        readers = List.of(reader(process.getInputStream(), out), reader(process.getErrorStream(), err));
    }

    public static UpdraftProcess start(Path directory, String... args) throws IOException {
        return start(directory, List.of(), List.of(), args);
    }

    private static UpdraftProcess start(Path directory, List<String> before, List<String> jvmOptions, String... args)
            throws IOException {
        List<String> command = new ArrayList<>(before);
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-XX:+UnlockDiagnosticVMOptions",
                "-XX:-BytecodeVerificationRemote",
                "-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"),
                "-Dupdraft.state=" + directory.resolve("state")));
        if (Runtime.version().feature() >= NATIVE_ACCESS_FROM) {
            command.add("--enable-native-access=ALL-UNNAMED"); // As ./updraft does.
        }
        command.addAll(jvmOptions);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
        command.addAll(List.of(args));
        return new UpdraftProcess(
                new ProcessBuilder(command).directory(directory.toFile()).start());
    }

    /** Starts the command in a new process group, as a terminal does. */
    static UpdraftProcess startGroup(Path directory, String... args) throws IOException {
        return start(directory, List.of("setsid"), List.of(), args);
    }

    /** Starts the command with options of the JVM's. */
    public static UpdraftProcess startWith(List<String> jvmOptions, Path directory, String... args) throws IOException {
        return start(directory, List.of(), jvmOptions, args);
    }

    /** Starts the command behind another one, which must become the command. */
    static UpdraftProcess startBehind(List<String> before, Path directory, String... args) throws IOException {
        return start(directory, before, List.of(), args);
    }

    /** Runs the command to its end. */
    static UpdraftProcess run(Path directory, String... args) throws IOException, InterruptedException {
        return runWith(List.of(), directory, args);
    }

    /** Runs the command to its end, with options of the JVM's. */
    static UpdraftProcess runWith(List<String> jvmOptions, Path directory, String... args)
            throws IOException, InterruptedException {
        UpdraftProcess updraft = start(directory, List.of(), jvmOptions, args);
        updraft.process.getOutputStream().close();
        updraft.awaitExit();
        return updraft;
    }

    private Thread reader(InputStream in, List<String> lines) {
        Thread thread = new Thread(() -> read(in, lines));
        thread.start();
        return thread;
    }

    private void read(InputStream in, List<String> lines) {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                synchronized (this) {
                    lines.add(line);
                    notifyAll();
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits until the program has printed a line. */
    synchronized void awaitOut(String line) throws InterruptedException {
        while (!out.contains(line)) {
            wait();
        }
    }

    /** Waits until a line was printed that ends with a text. */
    synchronized void awaitOutEnding(String end) throws InterruptedException {
        while (out.stream().noneMatch(line -> line.endsWith(end))) {
            wait();
        }
    }

    /** {@return the processes of its workers} */
    List<ProcessHandle> workers() {
        return process.children().toList();
    }

    /** Waits until Updraft has printed a line that contains a text on standard error. */
    public synchronized void awaitErr(String text) throws InterruptedException {
        while (err.stream().noneMatch(line -> line.contains(text))) {
            wait();
        }
    }

    /** Waits until Updraft has printed a line that matches a pattern on standard error, and returns the match. Fails if it ends. */
    public synchronized Matcher awaitErr(Pattern pattern) throws InterruptedException {
        while (true) {
            boolean ended = readers.stream().noneMatch(Thread::isAlive);
            Optional<Matcher> match =
                    err.stream().map(pattern::matcher).filter(Matcher::matches).findFirst();
            if (match.isPresent()) {
                return match.get();
            }
            assertThat(ended).as("Updraft has ended: %s", err).isFalse();
            wait(POLL_MILLIS);
        }
    }

    /** Waits until Updraft has printed a number of further lines that contain a text on standard error. */
    synchronized void awaitMoreErr(String text, int lines) throws InterruptedException {
        long enough = told(text) + lines;
        while (told(text) < enough) {
            wait();
        }
    }

    private long told(String text) {
        return err.stream().filter(line -> line.contains(text)).count();
    }

    public void signal(String name) throws IOException, InterruptedException {
        kill(name, Long.toString(process.pid()));
    }

    /** Signals the command and its workers at once, as Ctrl-C does; it was started as a group. */
    void signalGroup(String name) throws IOException, InterruptedException {
        kill(name, "-" + process.pid());
    }

    /** Repeats a signal until the command ends: soon after the first one, another is a repetition of the same request. */
    void signalUntilExit(String name) throws IOException, InterruptedException {
        signalUntilExit(name, Long.toString(process.pid()));
    }

    /** Does that for the command and its workers; it was started as a group. */
    void signalGroupUntilExit(String name) throws IOException, InterruptedException {
        signalUntilExit(name, "-" + process.pid());
    }

    private void signalUntilExit(String name, String whom) throws IOException, InterruptedException {
        do {
            new ProcessBuilder("kill", "-s", name, "--", whom)
                    .start()
                    .waitFor(); // Fails if the command has just ended.
        } while (!process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS));
    }

    /** Signals the command, and then the command and its workers, as {@code timeout} does; it was started as a group. */
    void signalAsTimeout(String name) throws IOException, InterruptedException {
        kill(name, Long.toString(process.pid()), "-" + process.pid());
    }

    private static void kill(String name, String... whom) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("kill", "-s", name, "--"));
        command.addAll(List.of(whom));
        assertThat(new ProcessBuilder(command).start().waitFor()).isZero();
    }

    void write(String input) throws IOException {
        try (var in = process.getOutputStream()) {
            in.write(input.getBytes(StandardCharsets.UTF_8));
        }
    }

    public int awaitExit() throws InterruptedException {
        boolean ended = process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
        if (!ended) { // else it would close the streams that are still being read
            process.destroyForcibly();
        }
        assertThat(ended).isTrue();
        for (Thread reader : readers) {
            reader.join();
        }
        return process.exitValue();
    }

    long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    int exitCode() {
        return process.exitValue();
    }

    synchronized List<String> out() {
        return List.copyOf(out);
    }

    public synchronized List<String> err() {
        return List.copyOf(err);
    }

    /** Packs the classes that lie in the same place as one of them, or names the jar that they are in already. */
    public static Path jarOf(Class<?> type, Path directory) throws Exception {
        Path place =
                Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
        if (!Files.isDirectory(place)) {
            return place;
        }
        Path jar = directory.resolve("program.jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
                Stream<Path> files = Files.walk(place)) {
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                out.putNextEntry(new JarEntry(place.relativize(file).toString().replace('\\', '/')));
                Files.copy(file, out);
            }
        }
        return jar;
    }
}
