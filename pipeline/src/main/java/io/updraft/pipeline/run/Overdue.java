package io.updraft.pipeline.run;

import io.updraft.timeseries.aggregate.WindowSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Finds records that were read long ago and are still in no result, and says where they wait, and what for. */
final class Overdue {

    private Overdue() {}

    /** A line for each unit whose first unfinished record has waited longer than its windows take, and the limit on top. */
    static List<String> of(Shard shard, long now, long limitMs, WindowSpec window) {
        long allowed = limitMs + window.size().plus(window.lateness()).toMillis();
        List<String> lines = new ArrayList<>();
        for (Map.Entry<Unit, UnitState> each : shard.units().entrySet()) {
            UnitState state = each.getValue();
            long waited = now - state.waitingSince();
            if (state.waitingSince() != Long.MAX_VALUE && waited > allowed) {
                lines.add(each.getKey().name() + " position " + state.done() + " has not been written for "
                        + Duration.ofMillis(waited).toSeconds() + " s: it waits in the window that ends at "
                        + Instant.ofEpochMilli(state.waitingFor()) + ", " + heldBackBy(shard));
            }
        }
        return lines;
    }

    private static String heldBackBy(Shard shard) {
        Unit slowest = null;
        long earliest = Long.MAX_VALUE;
        for (Map.Entry<Unit, UnitState> each : shard.units().entrySet()) {
            UnitState state = each.getValue();
            if (state.isActive() && state.latest() <= earliest) {
                earliest = state.latest();
                slowest = each.getKey();
            }
        }
        if (slowest == null) {
            return "and no unit has records to come";
        }
        return "held open by " + slowest.name()
                + (earliest == Long.MIN_VALUE
                        ? ", of which no record has come yet"
                        : ", whose latest time is " + Instant.ofEpochMilli(earliest));
    }
}
