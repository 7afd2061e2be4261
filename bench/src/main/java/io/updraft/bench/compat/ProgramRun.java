package io.updraft.bench.compat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * Runs one program on one side in its own JVM. Waits for the topology and the first tuple, lets the topology run for a time,
 * waits for the expected output, and stops the program. A program may also end by itself. Blocks the calling thread; the
 * process has ended when the method returns.
 */
final class ProgramRun {
    private static final Duration START = Duration.ofSeconds(400);
    private static final Duration FIRST_TUPLE = Duration.ofSeconds(240);
    private static final Duration STOP = Duration.ofSeconds(120);
    private static final Duration OUTPUT = Duration.ofSeconds(120);
    private static final long LOOK_MILLIS = 200;

    private final Path directory;
    private final Duration time;
    private final List<Pattern> awaited;

    /**
     * @param directory the working directory of the process, also for its output
     * @param time how long the topology runs
     * @param awaited patterns to wait for in the output before the program is stopped, for at most two more minutes
     */
    ProgramRun(Path directory, Duration time, List<Pattern> awaited) {
        this.directory = directory;
        this.time = time;
        this.awaited = awaited;
    }

    /** {@return the file that {@link Probe} writes} */
    Path probed() {
        return directory.resolve("probed.txt").toAbsolutePath();
    }

    /** {@return whether the directory has the result of an earlier run} */
    boolean isSaved() {
        return Files.exists(directory.resolve("end.txt"));
    }

    /** {@return the observation of the last run in this directory} */
    BehaviourObservation savedObservation() throws IOException {
        String end = Files.readString(directory.resolve("end.txt"));
        Path counts = Files.exists(running()) ? running() : probed();
        return BehaviourObservation.of(end, counts, output());
    }

    /**
     * Runs the command that resets the resources of a program; does nothing if it is empty.
     *
     * @throws IOException when the command fails; the message has its output
     */
    void prepare(List<String> before) throws IOException, InterruptedException {
        if (before.isEmpty()) {
            return;
        }
        Path output = directory.resolve("before.txt");
        Process process = new ProcessBuilder(before)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        if (process.waitFor() != 0) {
            throw new IOException("'" + String.join(" ", before) + "' ended with status " + process.exitValue() + ": "
                    + Files.readString(output).strip());
        }
    }

    /**
     * Runs a program.
     *
     * @param command the JVM and its arguments
     */
    BehaviourObservation run(List<String> command) throws IOException, InterruptedException {
        Files.deleteIfExists(probed());
        Files.deleteIfExists(running());
        Files.deleteIfExists(directory.resolve("end.txt"));
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output().toFile());
        Process process = builder.start();
        process.getOutputStream().close();
        Thread hook = new Thread(process::destroyForcibly);
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            String end = follow(process);
            Files.writeString(directory.resolve("end.txt"), end);
            return savedObservation();
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor();
            Runtime.getRuntime().removeShutdownHook(hook);
        }
    }

    private String follow(Process process) throws IOException, InterruptedException {
        boolean started = await(process, START, () -> observe().ran());
        await(process, FIRST_TUPLE, () -> observe().total("emitted") > 0);
        await(process, time, () -> false);
        await(process, OUTPUT, this::hasPrinted);
        if (!process.isAlive()) {
            return "ended with status " + process.waitFor();
        }
        saveProbed();
        process.destroy();
        if (!process.waitFor(STOP.toSeconds(), TimeUnit.SECONDS)) {
            return "had to be killed";
        }
        return started ? BehaviourObservation.STOPPED : "had no topology after " + START.toSeconds() + " s";
    }

    /**
     * Saves the probe's counts before the program is stopped. Stopping makes tuples in flight fail, and those failures are not
     * compared.
     */
    private void saveProbed() throws IOException {
        if (Files.exists(probed())) {
            Files.copy(probed(), running(), StandardCopyOption.REPLACE_EXISTING);
        }
    }

    /** {@return the file with the probe's counts from before the program was stopped} */
    private Path running() {
        return directory.resolve("running.txt");
    }

    /** {@return whether the process ended or the condition held before the limit} */
    private static boolean await(Process process, Duration limit, Condition condition)
            throws IOException, InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        while (System.nanoTime() < deadline) {
            if (condition.holds() || process.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
                return true;
            }
        }
        return false;
    }

    private interface Condition {
        boolean holds() throws IOException;
    }

    private BehaviourObservation observe() throws IOException {
        return BehaviourObservation.of(BehaviourObservation.STOPPED, probed(), output());
    }

    private boolean hasPrinted() throws IOException {
        BehaviourObservation now = observe();
        return awaited.stream().noneMatch(pattern -> now.found(pattern).isEmpty());
    }

    private Path output() {
        return directory.resolve("output.txt");
    }
}
