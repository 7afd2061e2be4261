package io.updraft.observe.view;

import io.updraft.observe.process.WorkerStatus;
import io.updraft.observe.process.WorkerStatus.State;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Formats the state of workers. Workers that run and never restarted are only counted. */
public final class WorkerLines {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss");
    private static final int MAX_LINES = 4;

    private WorkerLines() {}

    /**
     * {@return the number of workers up, and lines on at most four workers that are not up or have restarted; empty without
     * workers}
     */
    static List<String> of(List<WorkerStatus> workers, ZoneId zone) {
        List<String> lines = new ArrayList<>();
        if (workers.isEmpty()) {
            return lines;
        }
        lines.add(up(workers));
        List<WorkerStatus> troubled =
                workers.stream().filter(WorkerLines::isTroubled).toList();
        troubled.stream()
                .sorted(Comparator.comparing(worker -> worker.state() == State.RUNNING))
                .limit(MAX_LINES)
                .forEach(worker -> lines.add("  " + line(worker, zone)));
        if (troubled.size() > MAX_LINES) {
            lines.add("  ... and " + (troubled.size() - MAX_LINES) + " more workers that have restarted or are not up");
        }
        return lines;
    }

    /** {@return the number of workers up and at most four that are not, if there are such; a stopped worker does not count} */
    public static Optional<String> shortage(List<WorkerStatus> workers) {
        List<WorkerStatus> missing = workers.stream()
                .filter(worker -> worker.state() != State.RUNNING && worker.state() != State.STOPPED)
                .toList();
        return missing.isEmpty()
                ? Optional.empty()
                : Optional.of("workers " + up(workers)
                        + missing.stream()
                                .limit(MAX_LINES)
                                .map(worker -> "worker " + worker.worker() + " (process " + worker.pid() + ") is "
                                        + worker.state().word())
                                .collect(Collectors.joining(", ", ": ", missing.size() > MAX_LINES ? ", ..." : "")));
    }

    /** {@return for each worker that has restarted, the number of restarts and the reason of the last one} */
    public static List<String> restarts(List<WorkerStatus> workers, ZoneId zone) {
        return workers.stream()
                .filter(worker -> worker.restarts() > 0)
                .map(worker -> "worker " + worker.worker() + " was " + restarted(worker) + lastEnd(worker, zone))
                .toList();
    }

    static boolean isTroubled(WorkerStatus worker) {
        return worker.state() != State.RUNNING || worker.restarts() > 0;
    }

    private static String up(List<WorkerStatus> workers) {
        long up = workers.stream()
                .filter(worker -> worker.state() == State.RUNNING)
                .count();
        return up == workers.size() ? up + " up" : up + " of " + workers.size() + " up";
    }

    private static String line(WorkerStatus worker, ZoneId zone) {
        return "worker " + worker.worker() + ": " + worker.state().word() + " "
                + QuantityFormat.clock(worker.sinceNanos()) + (worker.restarts() > 0 ? ", " + restarted(worker) : "")
                + lastEnd(worker, zone);
    }

    private static String restarted(WorkerStatus worker) {
        return "restarted " + (worker.restarts() == 1 ? "once" : worker.restarts() + " times");
    }

    private static String lastEnd(WorkerStatus worker, ZoneId zone) {
        return worker.lastEnd() == null
                ? ""
                : ", last: " + worker.lastEnd() + " at "
                        + TIME.format(
                                Instant.ofEpochMilli(worker.lastEndMillis()).atZone(zone));
    }
}
