package io.updraft.engine.loop;

import java.util.ArrayDeque;
import java.util.ArrayList;

/**
 * The bolts of a loop that have work, in the order of their turns. Spouts get their turns once in every round, so they must not
 * take turns of bolts. Belongs to the loop.
 */
final class ReadySeats {

    private final ArrayDeque<Seat> ready = new ArrayDeque<>();

    /** Bolts that were held back in this round. */
    private final ArrayList<Seat> deferred = new ArrayList<>();

    private Runnable onPressureReleased = () -> {};

    void onPressureReleased(Runnable action) {
        onPressureReleased = action;
    }

    /** Takes the next bolt, or null. */
    Seat poll() {
        Seat seat = ready.poll();
        if (seat != null) {
            seat.ready = false;
        }
        return seat;
    }

    boolean isEmpty() {
        return ready.isEmpty();
    }

    /** Queues an executor that had no work before. */
    void arrived(Seat seat) {
        if (!seat.ready) {
            add(seat);
            measure(seat);
        }
    }

    /** Queues a bolt with work. */
    void add(Seat seat) {
        if (!seat.ready
                && !seat.apart
                && !seat.isSpout()
                && (seat.hasInput() || seat.executor().isPolled())) {
            seat.ready = true;
            ready.add(seat);
        }
    }

    /** Holds back a bolt until the next round. */
    void defer(Seat seat) {
        // The queue of a held-back executor must be measured too, or it would never cause back-pressure upstream.
        measure(seat);
        seat.ready = true;
        deferred.add(seat);
    }

    /** Queues the bolts that were held back again, for the next round. */
    void reconsider() {
        for (int i = 0; i < deferred.size(); i++) {
            ready.add(deferred.get(i));
        }
        deferred.clear();
    }

    void remove(Seat seat) {
        ready.remove(seat);
        deferred.remove(seat);
    }

    /** Updates back-pressure and load by the queue of an executor. */
    void measure(Seat seat) {
        if (seat.measure()) {
            onPressureReleased.run();
        }
    }
}
