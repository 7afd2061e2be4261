package io.updraft.transport.aeron;

import io.aeron.driver.FeedbackDelayGenerator;
import java.util.function.LongSupplier;

/**
 * When a receiver asks again for what is missing (a NAK). Who misses something asks soon. Where many streams do, each waits its turn,
 * so that all of a driver's ask no more often than the spacing says. Without that, streams that all miss something, because a
 * socket's buffer has overflowed, ask for so much that it overflows again, and the driver comes to nothing else: heartbeats are lost,
 * and streams with them. Of the driver's conductor thread only, which is the one that looks for gaps.
 */
final class NakPace implements FeedbackDelayGenerator {

    /** As in Aeron: packets may overtake each other. */
    static final long FIRST_NANOS = 100_000;

    /** As in Aeron. */
    static final long AGAIN_NANOS = 10_000_000;

    static final long FIRST_SPACING_NANOS = 100_000;
    static final long AGAIN_SPACING_NANOS = 500_000;

    private final LongSupplier clock;
    private final Turns first;
    private final Turns again;

    /**
     * Begins with nobody waiting.
     *
     * @param clock nanoseconds since any moment
     */
    NakPace(LongSupplier clock) {
        this.clock = clock;
        first = new Turns(FIRST_NANOS, FIRST_SPACING_NANOS, clock.getAsLong());
        again = new Turns(AGAIN_NANOS, AGAIN_SPACING_NANOS, clock.getAsLong());
    }

    /** {@return nanoseconds from when something was found missing until it is asked for} */
    @Override
    public long generateDelayNs() {
        return first.next(clock.getAsLong());
    }

    /** {@return nanoseconds from when something was asked for until it is asked for again} */
    @Override
    public long retryDelayNs() {
        return again.next(clock.getAsLong());
    }

    /** Who comes waits for a while at the least, and for those who came before. */
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
