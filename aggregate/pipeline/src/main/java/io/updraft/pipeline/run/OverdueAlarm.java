package io.updraft.pipeline.run;

import io.updraft.timeseries.query.WindowSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Raises an alarm for records that were read long ago and are in no result, and names their windows. Not thread-safe. */
final class OverdueAlarm {

    private static final Logger LOG = LoggerFactory.getLogger(OverdueAlarm.class);

    /** The most partitions that one line names. */
    private static final int MAX_NAMES = 5;

    private final int task;
    private final long limit;
    private final long allowed;
    private final TaskCounters counters;
    private long next;
    private String lastQuiet;

    /**
     * Creates an alarm for records that wait longer than their windows take plus {@code limit}; zero for no alarm.
     *
     * @param held by how much longer records wait because of their ids, milliseconds
     */
    OverdueAlarm(int task, Duration limit, WindowSpec window, long held, TaskCounters counters) {
        this.task = task;
        this.limit = limit.toMillis();
        this.allowed = limit.plus(window.size())
                .plus(window.lateness())
                .plusMillis(held)
                .toMillis();
        this.counters = counters;
    }

    /** Looks for overdue records, if it is time. */
    void check(Iterable<ShareWindows> taskWindows, long now) {
        if (limit == 0 || now < next) {
            return;
        }
        next = now + Math.max(1_000, limit / 4);
        List<ShareWindows> quiet = new ArrayList<>();
        for (ShareWindows each : taskWindows) {
            if (each.isQuiet()) {
                quiet.add(each);
            } else {
                overdue(each, now)
                        .forEach(partition -> counters.alarm(
                                partition.name, partition.millis, "aggregate task " + task + ": " + partition.line));
            }
        }
        // Idle windows are logged once: this is not an error, but somebody may wait for these windows.
        String line = quietLine(quiet, now);
        if (line != null && !line.equals(lastQuiet)) {
            LOG.warn("aggregate task {}: {}", task, line);
        }
        lastQuiet = line;
    }

    /** A partition whose first unfinished record has waited for so many milliseconds, and a line about that. */
    record Overdue(String name, long millis, String line) {}

    /** Returns the partitions whose first unfinished record is overdue. */
    List<Overdue> overdue(ShareWindows shareWindows, long now) {
        List<Overdue> overdue = new ArrayList<>();
        shareWindows.partitions.forEach((partition, state) -> {
            if (isOverdue(state, now)) {
                long millis = now - state.waitingSince();
                String line = partition.name() + " position " + state.done() + " has not been written for "
                        + millis / 1_000 + " s: it waits in the window that ends at "
                        + Instant.ofEpochMilli(state.waitingFor()) + ", held open by " + slowest(shareWindows);
                overdue.add(new Overdue(partition.name(), millis, line));
            }
        });
        return overdue;
    }

    /** Returns a line if records of taskWindows without active partitions are overdue; null if none are. */
    String quietLine(List<ShareWindows> taskWindows, long now) {
        List<String> names = new ArrayList<>();
        long first = Long.MAX_VALUE;
        for (ShareWindows shareWindows : taskWindows) {
            for (Map.Entry<Partition, PartitionProgress> each : shareWindows.partitions.entrySet()) {
                if (isOverdue(each.getValue(), now)) {
                    names.add(each.getKey().name());
                    first = Math.min(first, each.getValue().waitingFor());
                }
            }
        }
        if (names.isEmpty()) {
            return null;
        }
        return "the last windows of " + String.join(", ", names.subList(0, Math.min(MAX_NAMES, names.size())))
                + (names.size() > MAX_NAMES ? " and " + (names.size() - MAX_NAMES) + " more" : "")
                + " wait for a record with a later time, since none has come for a while; the first window ends at "
                + Instant.ofEpochMilli(first);
    }

    private boolean isOverdue(PartitionProgress state, long now) {
        return state.waitingSince() != Long.MAX_VALUE && now - state.waitingSince() > allowed;
    }

    private static String slowest(ShareWindows shareWindows) {
        Partition slowest = shareWindows.slowest();
        long earliest = shareWindows.partitions.get(slowest).latest();
        return slowest.name()
                + (earliest == Long.MIN_VALUE
                        ? ", of which no record has come yet"
                        : ", whose latest time is " + Instant.ofEpochMilli(earliest));
    }
}
