package io.updraft.transport.aeron;

import io.aeron.driver.FeedbackDelayGenerator;
import java.util.function.LongSupplier;

/**
 * Computes when a receiver requests missing data again (a NAK). If few streams miss data, each requests it soon. If many do,
 * each waits its turn, so that all streams of a driver together keep to the spacing. Without the spacing, a socket buffer that
 * overflows makes all streams request data at once. The answers overflow the buffer again, the driver does nothing else, and
 * heartbeats and streams are lost. Used by the driver's conductor thread only, which finds the gaps.
 */
final class NakDelay implements FeedbackDelayGenerator {

    /** As in Aeron: packets may overtake each other. */
    static final long FIRST_NANOS = 100_000;

    /** As in Aeron. */
    static final long AGAIN_NANOS = 10_000_000;

    static final long FIRST_SPACING_NANOS = 100_000;
    static final long AGAIN_SPACING_NANOS = 500_000;

    private final LongSupplier clock;
    private final Turns first;
    private final Turns retries;

    /**
     * Creates an instance with no waiting stream.
     *
     * @param clock nanoseconds since any moment
     */
    NakDelay(LongSupplier clock) {
        this.clock = clock;
        first = new Turns(FIRST_NANOS, FIRST_SPACING_NANOS, clock.getAsLong());
        retries = new Turns(AGAIN_NANOS, AGAIN_SPACING_NANOS, clock.getAsLong());
    }

    /** {@return nanoseconds from finding data missing to its first request} */
    @Override
    public long generateDelayNs() {
        return first.next(clock.getAsLong());
    }

    /** {@return nanoseconds from one request to the next} */
    @Override
    public long retryDelayNs() {
        return retries.next(clock.getAsLong());
    }

    /** Assigns turns: each takes at least a minimum delay, and comes after all earlier turns. */
    private static final class Turns {
        private final long least;
        private final long spacing;
        private long last;

        Turns(long least, long spacing, long now) {
            this.least = least;
            this.spacing = spacing;
            last = now;
        }

        long next(long now) {
            long delay = Math.max(last + spacing - now, least);
            last = now + delay;
            return delay;
        }
    }
}
