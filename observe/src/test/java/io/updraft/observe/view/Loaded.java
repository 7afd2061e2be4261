package io.updraft.observe.view;

import io.updraft.engine.snapshot.ComponentSnapshot;
import io.updraft.engine.snapshot.ExecutorSnapshot;
import io.updraft.engine.snapshot.LatencySummary;
import io.updraft.engine.snapshot.StreamsSnapshot;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** Builds the snapshot of a component under load. */
final class Loaded {
    private final String id;
    private final boolean spout;
    private long[] busyMillis = {0};
    private double waiting;
    private long queued;
    private boolean backPressured;
    private boolean throttled;

    private Loaded(String id, boolean spout) {
        this.id = id;
        this.spout = spout;
    }

    static Loaded spout(String id) {
        return new Loaded(id, true);
    }

    static Loaded bolt(String id) {
        return new Loaded(id, false);
    }

    /** Sets the busy time of the only executor. */
    Loaded millis(long millis) {
        return executors(millis);
    }

    /** Sets the busy times of the executors, milliseconds. */
    Loaded executors(long... millis) {
        busyMillis = millis;
        return this;
    }

    /** Sets the share of the busy time in which calls wait. */
    Loaded waiting(double share) {
        waiting = share;
        return this;
    }

    Loaded queued(long tuples) {
        queued = tuples;
        return this;
    }

    Loaded backPressured() {
        backPressured = true;
        return this;
    }

    Loaded throttled() {
        throttled = true;
        return this;
    }

    ComponentSnapshot build() {
        List<ExecutorSnapshot> executors = IntStream.range(0, busyMillis.length)
                .mapToObj(i -> executor(i + 1, busyMillis[i] * Snapshots.MILLI))
                .toList();
        int count = executors.size();
        long busy = Arrays.stream(busyMillis).sum() * Snapshots.MILLI;
        LatencySummary none = LatencySummary.EMPTY;
        return new ComponentSnapshot(
                id,
                spout,
                count,
                count,
                0,
                0,
                0,
                0,
                0,
                0,
                busy,
                queued,
                0,
                0,
                0,
                0,
                0,
                backPressured,
                throttled,
                none,
                none,
                executors);
    }

    private ExecutorSnapshot executor(int task, long busyNanos) {
        return new ExecutorSnapshot(task, 0, 0, 0, 0, 0, busyNanos, (long) (waiting * busyNanos), StreamsSnapshot.NONE);
    }
}
