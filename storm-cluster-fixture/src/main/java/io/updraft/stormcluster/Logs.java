package io.updraft.stormcluster;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The logs of all daemons and workers of a cluster, for people. */
record Logs(StormHome home) {

    private static final int TAIL_BYTES = 6_000;
    private static final Pattern READY = Pattern.compile("has finished loading|All connections are ready for worker");
    private static final int READY_LINES = 2;
    private static final Pattern COMPLAINT = Pattern.compile(" ERROR |^[\\w.$]+(Exception|Error): |^Caused by: ");

    /** Returns the end of each log, under its name. */
    String tails() {
        return Directories.files(home.logs()).stream()
                .filter(file ->
                        !file.toString().endsWith(".pid") && !file.toString().endsWith(".yaml"))
                .map(file -> "--- " + home.logs().relativize(file) + "\n" + tail(file))
                .collect(Collectors.joining("\n"));
    }

    /** Returns the last error or exception that a daemon has logged or printed. */
    Optional<String> complaint(String daemon) {
        return complaint(home.logs().resolve(daemon + ".log"), home.logs().resolve(daemon + ".out"));
    }

    /** Returns the last error or exception that a worker has logged, or that its slot's worker before it has. */
    Optional<String> complaint(WorkerProcess worker) {
        return complaint(log(worker));
    }

    /** Storm's workers tell only their logs when they have started; a log is that of all workers which the slot has had. */
    boolean isReady(WorkerProcess worker) {
        try (Stream<String> lines = Files.lines(log(worker))) {
            return lines.filter(line -> line.contains(worker.id()))
                            .filter(line -> READY.matcher(line).find())
                            .count()
                    == READY_LINES;
        } catch (IOException | UncheckedIOException notYet) {
            return false;
        }
    }

    private Path log(WorkerProcess worker) {
        return home.logs()
                .resolve("workers-artifacts")
                .resolve(worker.topologyId())
                .resolve(Integer.toString(worker.port()))
                .resolve("worker.log");
    }

    private static Optional<String> complaint(Path... files) {
        return Stream.of(files)
                .filter(Files::exists)
                .flatMap(file -> tail(file).lines())
                .filter(line -> COMPLAINT.matcher(line).find())
                .reduce((first, last) -> last)
                .map(String::strip);
    }

    private static String tail(Path file) {
        try (RandomAccessFile log = new RandomAccessFile(file.toFile(), "r")) {
            long skipped = Math.max(0, log.length() - TAIL_BYTES);
            byte[] end = new byte[(int) (log.length() - skipped)];
            log.seek(skipped);
            log.readFully(end);
            return (skipped > 0 ? "..." : "") + new String(end, StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "cannot be read: " + e;
        }
    }
}
