package io.updraft.observe.death;

import io.updraft.observe.process.OldObjects;
import java.util.concurrent.TimeUnit;

/**
 * Decides from readings whether a heap stays nearly full after collections, and when to look who holds it. A look is expensive: it
 * is taken when the heap fills up, so that something is known if the process soon has no memory for a look, when the heap begins to
 * count as nearly full, and then at most each {@value #LOOK_SECONDS} s.
 */
final class FullHeapRule {
    static final double FILLING = 0.8;
    static final double FULL = 0.9;
    static final long LOOK_SECONDS = 30;
    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(LOOK_SECONDS);
    private static final long FULL_NANOS = TimeUnit.SECONDS.toNanos(3);

    private OldObjects fullSince;
    private long fullSinceNanos;
    private boolean nearlyFull;
    private boolean filling;
    private boolean looked;
    private long lookNanos;
    private boolean lookDue;

    /** Adds a reading. The time is by {@link System#nanoTime()}. */
    void add(long nanos, OldObjects old) {
        boolean wasFilling = filling;
        boolean wasFull = nearlyFull;
        filling = old.share() >= FILLING;
        nearlyFull = staysFull(nanos, old);
        boolean isOld = !looked || nanos - lookNanos >= LOOK_NANOS;
        boolean hasChanged = nearlyFull && !wasFull || filling && !wasFilling && isOld;
        lookDue = hasChanged || nearlyFull && isOld || filling && lookDue;
    }

    /** Notes that the look which was due has been taken. */
    void looked(long nanos) {
        looked = true;
        lookNanos = nanos;
        lookDue = false;
    }

    /** A single reading may be a moment's; at least one further collection must have freed nothing. */
    private boolean staysFull(long nanos, OldObjects old) {
        if (old.share() < FULL) {
            fullSince = null;
            return false;
        }
        if (fullSince == null) {
            fullSince = old;
            fullSinceNanos = nanos;
        }
        return nearlyFull || nanos - fullSinceNanos >= FULL_NANOS && old.collections() > fullSince.collections();
    }

    boolean isFilling() {
        return filling;
    }

    boolean isNearlyFull() {
        return nearlyFull;
    }

    boolean isLookDue() {
        return lookDue;
    }
}
