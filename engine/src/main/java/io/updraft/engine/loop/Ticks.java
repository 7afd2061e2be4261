package io.updraft.engine.loop;

import io.updraft.engine.api.TaskControl;
import io.updraft.engine.plan.Conf;
import io.updraft.engine.tuple.EngineTuple;
import io.updraft.engine.tuple.Origin;
import java.util.ArrayList;
import java.util.List;
import org.apache.storm.Config;
import org.apache.storm.Constants;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Values;
import org.apache.storm.utils.Utils;

/** Creates the tick tuples of the bolts of one loop ({@code topology.tick.tuple.freq.secs}). Belongs to the loop. */
final class Ticks {

    private static final Fields FIELDS = new Fields("rate_secs");
    private static final int SYSTEM_TASK = (int) Constants.SYSTEM_TASK_ID;
    private static final long NEVER = Long.MAX_VALUE;

    private final Shared shared;
    private final Routes routes;
    private final List<Tick> all = new ArrayList<>();
    private long next = NEVER;

    /** The ticks of one executor. */
    static final class Tick {
        private final Seat seat;
        private final int seconds;
        private final long period;
        private final Origin origin;
        private long due;
        private long made;

        /** Creates ticks with the same times for another executor of the component. */
        private Tick(Seat seat, Tick like) {
            this.seat = seat;
            this.seconds = like.seconds;
            this.period = like.period;
            this.due = like.due;
            this.origin = like.origin;
        }

        private Tick(Seat seat, int seconds, long now) {
            this.seat = seat;
            this.seconds = seconds;
            this.period = seconds * 1_000_000_000L;
            this.due = now + period;
            this.origin = Origin.of(
                    Constants.SYSTEM_COMPONENT_ID,
                    Constants.SYSTEM_TICK_STREAM_ID,
                    SYSTEM_TASK,
                    FIELDS,
                    seat.executor().newContext(seat.executor().plan().taskIds()[0], TaskControl.NONE));
        }
    }

    Ticks(Shared shared, Routes routes) {
        this.shared = shared;
        this.routes = routes;
    }

    void add(Seat seat) {
        int seconds = Conf.integer(seat.executor().component().conf(), Config.TOPOLOGY_TICK_TUPLE_FREQ_SECS, 0, 0);
        // System components get no ticks, as in Storm, because they would treat them as input.
        if (seconds > 0
                && !seat.isSpout()
                && !Utils.isSystemId(seat.executor().component().id())) {
            add(new Tick(seat, seconds, shared.clock().nanoTime()));
        }
    }

    /** Moves the ticks of an executor to its new loop. */
    void move(Seat seat, Ticks to) {
        Tick tick = remove(seat);
        if (tick != null) {
            to.add(tick);
        }
    }

    /** Removes and returns the ticks of an executor; null if it has none. */
    Tick remove(Seat seat) {
        for (Tick tick : all) {
            if (tick.seat == seat) {
                all.remove(tick);
                return tick;
            }
        }
        return null;
    }

    /** Adds ticks for an executor at the same times as those of another executor of the component. */
    void addLike(Seat seat, Tick other) {
        add(new Tick(seat, other));
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
        Executor executor = tick.seat.executor();
        if (!shared.lifecycle().wasEverActive()) {
            return 0;
        }
        for (int task : executor.plan().taskIds()) {
            tick.made++;
            executor.counters().putRelease(Counter.TICKS, tick.made);
            routes.deliver(EngineTuple.untracked(tick.origin, new Values(tick.seconds)), task);
        }
        return 1;
    }
}
