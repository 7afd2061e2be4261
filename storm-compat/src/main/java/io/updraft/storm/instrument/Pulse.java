package io.updraft.storm.instrument;

import io.updraft.engine.api.TaskControl;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Finds calls that last: has something done between two turns of an instance, and sees whether it is. From any thread. */
final class Pulse {
    private static final long ANSWERED = 0;

    private final TaskControl control;

    /** When it was asked that is not answered, {@link System#nanoTime} but for the last bit, or {@link #ANSWERED}. */
    private final AtomicLong asked = new AtomicLong(ANSWERED);

    Pulse(TaskControl control) {
        this.control = control;
    }

    /**
     * Asks, if nothing is asked.
     *
     * @return for how long there has been no answer, whole seconds; 0 when there is none for another reason than a call: a turn
     *     that does not come, because what is downstream holds it back
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
