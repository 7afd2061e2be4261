package io.updraft.pipeline.run;

import io.updraft.engine.snapshot.Move;
import io.updraft.engine.snapshot.MoveLog;
import io.updraft.pipeline.connector.RecordSource.Event;
import java.util.function.LongSupplier;

/**
 * Notes in the history of a run which partitions this process gets and gives up, which task works on them, and why. Partitions that no
 * other process could read do not move. Not thread-safe.
 *
 * @param clock returns milliseconds since 1970
 */
record PartitionMoves(MoveLog log, LongSupplier clock) {

    private static final String HERE = "this process";
    private static final String ELSEWHERE = "the group";

    /** Notes that a partition was opened. {@code task} is the only one that works on it; -1 if all tasks do. */
    void opened(Event.Opened opened, int task) {
        if (opened.reason() != null) {
            add(opened.partition(), ELSEWHERE, place(task), opened.reason());
        }
    }

    void revoked(Event.Revoked revoked, int task) {
        add(revoked.partition(), place(task), ELSEWHERE, revoked.reason());
    }

    void relocated(Event.Relocated relocated) {
        add(relocated.partition(), relocated.from(), relocated.to(), relocated.reason());
    }

    private static String place(int task) {
        return task < 0 ? HERE : HERE + ", task " + task;
    }

    private void add(String partition, String from, String to, String reason) {
        log.add(new Move(clock.getAsLong(), partition, from, to, reason));
    }
}
