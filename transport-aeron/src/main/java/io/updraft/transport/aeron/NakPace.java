package io.updraft.transport.aeron;

import io.aeron.driver.FeedbackDelayGenerator;
import java.util.function.LongSupplier;

/**
 * When a receiver asks again for what is missing (a NAK). Who misses something asks soon. Where many streams do, each waits its turn, so that
 * all of a driver's ask no more often than the spacing says. Without that, streams that all miss something, because a socket's
 * buffer has overflowed, ask for so much that it overflows again, and the driver comes to nothing else: heartbeats are lost, and
 * streams with them. Of the driver's conductor thread only, which is the one that looks for gaps.
 */
final class NakPace implements FeedbackDelayGenerator {

    /** As in Aeron: packets may overtake each other. */
    static final long FIRST_NANOS = 100_000;

    /** As in Aeron. */
    static final long AGAIN_NANOS = 10_000_000;

    static final long FIRST_SPACING_NANOS = 100_000;
    static final long AGAIN_SPACING_NANOS = 500_000;

    private final LongSupplier clock;
    private long first;
    private long again;

    /**
     * Begins with nobody waiting.
     *
     * @param clock nanoseconds since any moment
     */
    NakPace(LongSupplier clock) {
        this.clock = clock;
        first = clock.getAsLong();
        again = first;
    }

    /** {@return nanoseconds from when something was found missing until it is asked for} */
    @Override
    public long generateDelayNs() {
        long now = clock.getAsLong();
        first = Math.max(first + FIRST_SPACING_NANOS, now + FIRST_NANOS);
        return first - now;
    }

    /** {@return nanoseconds from when something was asked for until it is asked for again} */
    @Override
    public long retryDelayNs() {
        long now = clock.getAsLong();
        again = Math.max(again + AGAIN_SPACING_NANOS, now + AGAIN_NANOS);
        return again - now;
    }
}
