package io.updraft.stormcluster;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The logs of all daemons and workers of a cluster, for error messages. */
record Logs(StormHome home) {

    private static final int TAIL_BYTES = 6_000;
    private static final int SHOWN_FILES = 10;
    private static final int SHOWN_CHARS = 2_000;
    /** Lines that a Supervisor logs every half minute. */
    private static final Pattern ROUTINE = Pattern.compile(" o\\.a\\.s\\.(\\w+\\.)*"
            + "(SupervisorHealthCheck Running|HealthChecker .* succeeded|AsyncLocalizer (Starting|Finish) cleanup)");

    private static final Pattern READY = Pattern.compile("has finished loading|All connections are ready for worker");
    private static final int READY_LINES = 2;
    private static final Pattern COMPLAINT = Pattern.compile(" ERROR |^[\\w.$]+(Exception|Error): |^Caused by: ");

    /** Returns the ends of the logs that were written last, each with its name, the newest at the end. */
    String tails() {
        List<File> newest = Directories.files(home.logs()).stream()
                .filter(file ->
                        !file.toString().endsWith(".pid") && !file.toString().endsWith(".yaml"))
                .map(Path::toFile)
                .filter(file -> file.length() > 0)
                // Reads each time only once: it may change during the sort.
                .collect(Collectors.toMap(Function.identity(), File::lastModified))
                .entrySet()
                .stream()
                .sorted(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey)
                .toList();
        return newest.stream()
                .skip(Math.max(0, newest.size() - SHOWN_FILES))
                .map(file -> "--- " + home.logs().relativize(file.toPath()) + "\n" + shortened(tail(file.toPath())))
                .collect(Collectors.joining("\n"));
    }

    private static String shortened(String tail) {
        String told = tail.lines().filter(line -> !ROUTINE.matcher(line).find()).collect(Collectors.joining("\n"));
        return told.length() <= SHOWN_CHARS ? told : "..." + told.substring(told.length() - SHOWN_CHARS);
    }

    /** Returns the last error or exception that a daemon has logged or printed. */
    Optional<String> complaint(String daemon) {
        return complaint(home.logs().resolve(daemon + ".log"), home.logs().resolve(daemon + ".out"));
    }

    /**
     * Returns the last error or exception in a worker's log. All workers of a slot share one log, so that the line may be of an
     * earlier one.
     */
    Optional<String> complaint(WorkerProcess worker) {
        return complaint(log(worker));
    }

    /**
     * Returns whether a worker has started in full. Storm's workers report that only in their log, which all workers of a slot
     * share.
     */
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
