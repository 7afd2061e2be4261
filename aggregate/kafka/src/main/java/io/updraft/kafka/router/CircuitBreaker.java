package io.updraft.kafka.router;

/**
 * The circuit breaker of one partition index at one target. Closed: records are sent. Open, after a failure: no records are
 * sent. Probing, after a while: one record is sent, whose outcome closes or opens the circuit. Not thread-safe: the router
 * holds its lock.
 */
final class CircuitBreaker {

    private enum State {
        CLOSED,
        OPEN,
        PROBING
    }

    private final long probeNanos;
    private State state = State.CLOSED;
    private long since;

    CircuitBreaker(long probeNanos) {
        this.probeNanos = probeNanos;
    }

    /**
     * Returns whether a record may be sent now. Once the probe time has passed, an open circuit admits one record as the probe.
     */
    boolean admits(long now) {
        if (state == State.OPEN && now - since >= probeNanos) {
            state = State.PROBING;
            return true;
        }
        return state == State.CLOSED;
    }

    /** Returns whether the circuit is closed. Does not start a probe. */
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
