package io.updraft.kafka.router;

/**
 * The health of one partition index at one target: closed while it works; open after a failure, when it gets nothing; and
 * after a while one record may try, which closes or opens it again. Not thread-safe: the router holds its lock.
 */
final class Circuit {

    private enum State {
        CLOSED,
        OPEN,
        PROBING
    }

    private final long probeNanos;
    private State state = State.CLOSED;
    private long since;

    Circuit(long probeNanos) {
        this.probeNanos = probeNanos;
    }

    /** Whether a record may be sent now; of those that wait for an open circuit one is let through as the probe. */
    boolean admits(long now) {
        if (state == State.OPEN && now - since >= probeNanos) {
            state = State.PROBING;
            return true;
        }
        return state == State.CLOSED;
    }

    /** The same without becoming the probe. */
    boolean isClosed() {
        return state == State.CLOSED;
    }

    void succeeded() {
        state = State.CLOSED;
    }

    void failed(long now) {
        state = State.OPEN;
        since = now;
    }
}
