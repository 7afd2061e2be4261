package io.updraft.pipeline.process;

import io.updraft.pipeline.spec.SpecReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Child JVMs that run the same pipeline, which tests kill. */
final class PipelineProcesses implements AutoCloseable {

    private static final long END_SECONDS = 40;

    private final Path directory;
    private final Path description;
    private final List<java.lang.Process> running = new ArrayList<>();
    private int started;

    PipelineProcesses(Path directory, String yaml) throws Exception {
        this.directory = directory;
        this.description = Files.writeString(directory.resolve("pipeline.yaml"), yaml);
        new SpecReader(Map.of()).read(description);
    }

    void start() throws IOException {
        start(Map.of());
    }

    /** Starts one with variables of its own. */
    java.lang.Process start(Map<String, String> environment) throws IOException {
        Path log = directory.resolve("process-" + started++ + ".log");
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        // They live for seconds, most of which is their start.
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UnlockDiagnosticVMOptions",
                        "-XX:-BytecodeVerificationRemote",
                        "-Xmx256m",
                        "-Dlog4j2.configurationFile=" + System.getProperty("log4j2.configurationFile", ""),
                        "-cp",
                        System.getProperty("java.class.path"),
                        PipelineMain.class.getName(),
                        description.toString())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().putAll(environment);
        java.lang.Process process = builder.start();
        running.add(process);
        return process;
    }

    /** Kills one, as {@code kill -9} does, and starts another in its place. */
    void replace(int index) throws IOException {
        kill(index);
        start();
    }

    /** Kills one, as {@code kill -9} does. */
    void kill(int index) {
        running.remove(index).destroyForcibly().onExit().join();
    }

    /** Asks one to end. */
    java.lang.Process stop(int index) throws IOException {
        java.lang.Process process = running.get(index);
        process.getOutputStream().close();
        return process;
    }

    /** What the process that was started last but so many has written. */
    Path log(int before) {
        return directory.resolve("process-" + (started - 1 - before) + ".log");
    }

    /** Forgets one that has ended. */
    void forget(java.lang.Process ended) {
        running.remove(ended);
    }

    int running() {
        return running.size();
    }

    /** Lets those that have ended by themselves be followed by others, as a supervisor would. */
    void revive() throws IOException {
        for (java.lang.Process each : List.copyOf(running)) {
            if (!each.isAlive()) {
                running.remove(each);
                start();
            }
        }
    }

    /** Asks all to end, and waits until they have; those that do not are killed. */
    @Override
    public void close() {
        running.forEach(each -> {
            try {
                each.getOutputStream().close();
            } catch (IOException e) {
                each.destroyForcibly();
            }
        });
        for (java.lang.Process each : running) {
            try {
                if (!each.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                    each.destroyForcibly();
                }
            } catch (InterruptedException e) {
                each.destroyForcibly();
                Thread.currentThread().interrupt();
            }
        }
    }

    String logs() {
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < started; i++) {
            try {
                String text = Files.readString(directory.resolve("process-" + i + ".log"));
                all.append("\n--- process ").append(i).append('\n');
                all.append(text.length() > 4_000 ? text.substring(text.length() - 4_000) : text);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return all.toString();
    }
}
