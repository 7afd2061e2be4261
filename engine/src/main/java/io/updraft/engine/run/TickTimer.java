package io.updraft.engine.run;

import io.updraft.base.conf.ConfReader;
import io.updraft.engine.api.TaskControl;
import io.updraft.engine.tuple.EngineTuple;
import io.updraft.engine.tuple.Origin;
import java.util.ArrayList;
import java.util.List;
import org.apache.storm.Config;
import org.apache.storm.Constants;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Values;

/** Creates the tick tuples of the bolts of one loop ({@code topology.tick.tuple.freq.secs}). Belongs to the loop. */
final class TickTimer {

    private static final Fields FIELDS = new Fields("rate_secs");
    private static final int SYSTEM_TASK = (int) Constants.SYSTEM_TASK_ID;
    private static final long NEVER = Long.MAX_VALUE;

    private final TopologyServices shared;
    private final RoutingTable routes;
    private final List<Tick> all = new ArrayList<>();
    private long next = NEVER;

    public static final class Tick {
        private final ExecutorSlot slot;
        private final int seconds;
        private final long period;
        private final Origin origin;
        private long due;
        private long made;

        private Tick(ExecutorSlot slot, int seconds, long due, Origin origin) {
            this.slot = slot;
            this.seconds = seconds;
            this.period = seconds * 1_000_000_000L;
            this.due = due;
            this.origin = origin;
        }
    }

    TickTimer(TopologyServices shared, RoutingTable routes) {
        this.shared = shared;
        this.routes = routes;
    }

    void add(ExecutorSlot slot) {
        int seconds =
                new ConfReader(slot.executor().component().conf()).integer(Config.TOPOLOGY_TICK_TUPLE_FREQ_SECS, 0, 0);
        // System components get no ticks, as in Storm, because they would treat them as input.
        if (seconds > 0 && !slot.isSpout() && !slot.executor().component().isSystem()) {
            Executor executor = slot.executor();
            Origin origin = Origin.of(
                    Constants.SYSTEM_COMPONENT_ID,
                    Constants.SYSTEM_TICK_STREAM_ID,
                    SYSTEM_TASK,
                    FIELDS,
                    executor.newContext(executor.plan().taskIds()[0], TaskControl.NONE));
            add(new Tick(slot, seconds, shared.clock().nanoTime() + seconds * 1_000_000_000L, origin));
        }
    }

    void move(ExecutorSlot slot, TickTimer to) {
        Tick tick = remove(slot);
        if (tick != null) {
            to.add(tick);
        }
    }

    /** Removes and returns the ticks of an executor; null if it has none. */
    Tick remove(ExecutorSlot slot) {
        for (Tick tick : all) {
            if (tick.slot == slot) {
                all.remove(tick);
                return tick;
            }
        }
        return null;
    }

    /** Adds ticks for an executor at the same times as those of another executor of the component. */
    void addLike(ExecutorSlot slot, Tick other) {
        add(new Tick(slot, other.seconds, other.due, other.origin));
    }

    private void add(Tick tick) {
        all.add(tick);
        next = Math.min(next, tick.due);
    }

    long next() {
        return next;
    }

    int fire(long now) {
        if (next == NEVER || now - next < 0) {
            return 0;
        }
        next = NEVER;
        int count = 0;
        for (Tick tick : all) {
            if (now - tick.due >= 0) {
                count += fire(tick);
                tick.due += period(tick, now);
            }
            next = Math.min(next, tick.due);
        }
        return count;
    }

    /** Returns the time to the next tick. After a long pause there is one tick, not one for each missed period. */
    private static long period(Tick tick, long now) {
        return tick.period * (1 + (now - tick.due) / tick.period);
    }

    private int fire(Tick tick) {
        Executor executor = tick.slot.executor();
        if (!shared.lifecycle().wasEverActive()) {
            return 0;
        }
        for (int task : executor.plan().taskIds()) {
            tick.made++;
            executor.counters().putRelease(ExecutorCounter.TICKS, tick.made);
            routes.deliver(EngineTuple.untracked(tick.origin, new Values(tick.seconds)), task);
        }
        return 1;
    }
}
