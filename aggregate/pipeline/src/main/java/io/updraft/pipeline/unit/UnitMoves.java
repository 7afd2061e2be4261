package io.updraft.pipeline.unit;

import io.updraft.engine.snapshot.Move;
import io.updraft.engine.snapshot.MoveLog;
import io.updraft.pipeline.connector.RecordSource.Event;
import java.util.function.LongSupplier;

/**
 * Notes in the history of a run which units this process gets and gives up, which task works on them, and why. Units that no
 * other process could read do not move. One thread.
 *
 * @param clock returns milliseconds since 1970
 */
public record UnitMoves(MoveLog log, LongSupplier clock) {

    private static final String HERE = "this process";
    private static final String ELSEWHERE = "the group";

    /** Notes that a unit was opened. {@code task} is the only one that works on it; -1 if all tasks do. */
    void opened(Event.Opened opened, int task) {
        if (opened.reason() != null) {
            add(opened.unit(), ELSEWHERE, place(task), opened.reason());
        }
    }

    void revoked(Event.Revoked revoked, int task) {
        add(revoked.unit(), place(task), ELSEWHERE, revoked.reason());
    }

    void relocated(Event.Relocated relocated) {
        add(relocated.unit(), relocated.from(), relocated.to(), relocated.reason());
    }

    private static String place(int task) {
        return task < 0 ? HERE : HERE + ", task " + task;
    }

    private void add(String unit, String from, String to, String reason) {
        log.add(new Move(clock.getAsLong(), unit, from, to, reason));
    }
}
