package io.updraft.engine.failure;

/** The pause after a failure of user code. The first failure causes none; each further failure doubles the pause. */
public final class FailureBackOff {

    private static final long FIRST_NANOS = 1_000_000;
    private static final long LONGEST_NANOS = 5_000_000_000L;

    /** A failure after at least this many successful calls causes no pause. */
    private static final long FORGIVEN_AFTER_CALLS = 200;

    private static final long FORGIVEN_AFTER_NANOS = 10_000_000_000L;

    /** The earliest time of the next turn, nanoseconds; 0 for at once. */
    private long notBefore;

    private long nanos;
    private long lastErrorAt;
    private long doneAtLastError;

    /** Computes the pause before the next turn. A failure after a quiet time or after enough successful calls causes none. */
    public void failed(long now, long done) {
        boolean forgiven = now - lastErrorAt > FORGIVEN_AFTER_NANOS || done - doneAtLastError >= FORGIVEN_AFTER_CALLS;
        doneAtLastError = done;
        if (lastErrorAt == 0 || forgiven) {
            nanos = 0;
        } else {
            nanos = Math.min(LONGEST_NANOS, Math.max(FIRST_NANOS, nanos * 2));
        }
        lastErrorAt = now;
        notBefore = nanos == 0 ? 0 : now + nanos;
    }

    /** Sets the earliest time of the next turn, nanoseconds; 0 for at once. */
    public void waitUntil(long time) {
        notBefore = time;
    }

    public boolean isOver(long now) {
        return notBefore == 0 || now - notBefore >= 0;
    }

    public String describe() {
        return notBefore == 0 ? "at once" : "in " + nanos / 1_000_000 + " ms";
    }
}
