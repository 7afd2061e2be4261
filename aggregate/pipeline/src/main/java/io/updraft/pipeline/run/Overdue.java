package io.updraft.pipeline.run;

import io.updraft.timeseries.aggregate.WindowSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Finds records that were read long ago and are still in no result, and reports the windows in which they wait. */
final class Overdue {

    /** The most units that one line names. */
    private static final int MOST_NAMES = 5;

    private Overdue() {}

    /** Returns a line for each unit whose first unfinished record has waited longer than its windows take plus the limit. */
    static List<String> of(Shard shard, long now, long limitMs, WindowSpec window) {
        List<String> lines = new ArrayList<>();
        for (Map.Entry<Unit, UnitState> each : shard.units().entrySet()) {
            UnitState state = each.getValue();
            if (isOverdue(state, now, limitMs, window)) {
                long waited = now - state.waitingSince();
                lines.add(each.getKey().name() + " position " + state.done() + " has not been written for "
                        + Duration.ofMillis(waited).toSeconds() + " s: it waits in the window that ends at "
                        + Instant.ofEpochMilli(state.waitingFor()) + ", held open by " + slowest(shard));
            }
        }
        return lines;
    }

    /** Returns a line if the records of a shard without active units have waited too long; null if none have. */
    static String ofQuiet(List<Shard> shards, long now, long limitMs, WindowSpec window) {
        List<String> names = new ArrayList<>();
        long first = Long.MAX_VALUE;
        for (Shard shard : shards) {
            for (Map.Entry<Unit, UnitState> each : shard.units().entrySet()) {
                UnitState state = each.getValue();
                if (isOverdue(state, now, limitMs, window)) {
                    names.add(each.getKey().name());
                    first = Math.min(first, state.waitingFor());
                }
            }
        }
        if (names.isEmpty()) {
            return null;
        }
        return "the last windows of " + String.join(", ", names.subList(0, Math.min(MOST_NAMES, names.size())))
                + (names.size() > MOST_NAMES ? " and " + (names.size() - MOST_NAMES) + " more" : "")
                + " wait for a record with a later time, since none has come for a while; the first window ends at "
                + Instant.ofEpochMilli(first);
    }

    private static boolean isOverdue(UnitState state, long now, long limitMs, WindowSpec window) {
        long allowed = limitMs + window.size().plus(window.lateness()).toMillis();
        return state.waitingSince() != Long.MAX_VALUE && now - state.waitingSince() > allowed;
    }

    private static String slowest(Shard shard) {
        Unit slowest = null;
        long earliest = Long.MAX_VALUE;
        for (Map.Entry<Unit, UnitState> each : shard.units().entrySet()) {
            UnitState state = each.getValue();
            if (state.isActive() && state.latest() <= earliest) {
                earliest = state.latest();
                slowest = each.getKey();
            }
        }
        return slowest.name()
                + (earliest == Long.MIN_VALUE
                        ? ", of which no record has come yet"
                        : ", whose latest time is " + Instant.ofEpochMilli(earliest));
    }
}
