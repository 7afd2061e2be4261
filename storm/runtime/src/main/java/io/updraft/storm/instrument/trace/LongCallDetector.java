package io.updraft.storm.instrument.trace;

import io.updraft.engine.api.TaskControl;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Detects long calls of user code: schedules an action between two turns of an instance and measures its delay. Safe to use
 * from any thread.
 */
final class LongCallDetector {
    private static final long ANSWERED = 0;

    private final TaskControl control;

    /**
     * The time of the pending request, of {@link System#nanoTime} with the last bit set; {@link #ANSWERED} if none is pending.
     */
    private final AtomicLong asked = new AtomicLong(ANSWERED);

    LongCallDetector(TaskControl control) {
        this.control = control;
    }

    /**
     * Schedules a request if none is pending.
     *
     * @return how long the pending request has been unanswered because of a call, in whole seconds; 0 if the delay has another
     *     reason: back-pressure from downstream may defer the next turn
     */
    long secondsInCall() {
        long now = System.nanoTime() | 1;
        if (asked.compareAndSet(ANSWERED, now)) {
            control.run(() -> asked.set(ANSWERED));
            return 0;
        }
        boolean inTurn = control.isInTurn();
        long since = asked.get();
        return !inTurn || since == ANSWERED ? 0 : TimeUnit.NANOSECONDS.toSeconds(now - since);
    }
}
