package io.updraft.cli.view;

import io.updraft.cluster.local.WorkerStatus;
import io.updraft.cluster.local.WorkerStatus.State;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Workers in words. Those that run and never did anything else are only counted. */
final class WorkerLines {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss");
    private static final int MOST = 4;

    private WorkerLines() {}

    /** {@return how many are up, and a line for each of those that ask for attention; nothing if there are no workers} */
    static List<String> of(List<WorkerStatus> workers, ZoneId zone) {
        List<String> lines = new ArrayList<>();
        if (workers.isEmpty()) {
            return lines;
        }
        lines.add("workers: " + up(workers));
        List<WorkerStatus> troubled =
                workers.stream().filter(WorkerLines::isTroubled).toList();
        troubled.stream()
                .sorted(Comparator.comparing(worker -> worker.state() == State.RUNNING))
                .limit(MOST)
                .forEach(worker -> lines.add("  " + line(worker, zone)));
        if (troubled.size() > MOST) {
            lines.add("  ... and " + (troubled.size() - MOST) + " more workers that were started again or are not up");
        }
        return lines;
    }

    /** {@return how many are up if one is missing; those that were stopped are not} */
    static Optional<String> shortage(List<WorkerStatus> workers) {
        return workers.stream().allMatch(worker -> worker.state() == State.RUNNING || worker.state() == State.STOPPED)
                ? Optional.empty()
                : Optional.of("workers " + up(workers));
    }

    /** {@return for each worker that was started again how often, and why the last time} */
    static List<String> restarts(List<WorkerStatus> workers, ZoneId zone) {
        return workers.stream()
                .filter(worker -> worker.restarts() > 0)
                .map(worker -> "worker " + worker.worker() + " was " + again(worker) + last(worker, zone))
                .toList();
    }

    private static boolean isTroubled(WorkerStatus worker) {
        return worker.state() != State.RUNNING || worker.restarts() > 0;
    }

    private static String up(List<WorkerStatus> workers) {
        long up = workers.stream()
                .filter(worker -> worker.state() == State.RUNNING)
                .count();
        return up == workers.size() ? up + " up" : up + " of " + workers.size() + " up";
    }

    private static String line(WorkerStatus worker, ZoneId zone) {
        return "worker " + worker.worker() + ": " + worker.state().word() + " " + Quantity.clock(worker.sinceNanos())
                + (worker.restarts() > 0 ? ", " + again(worker) : "") + last(worker, zone);
    }

    private static String again(WorkerStatus worker) {
        return "restarted " + (worker.restarts() == 1 ? "once" : worker.restarts() + " times");
    }

    private static String last(WorkerStatus worker, ZoneId zone) {
        return worker.lastEnd() == null
                ? ""
                : ", last: " + worker.lastEnd() + " at "
                        + TIME.format(
                                Instant.ofEpochMilli(worker.lastEndMillis()).atZone(zone));
    }
}
