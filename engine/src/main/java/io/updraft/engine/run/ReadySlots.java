package io.updraft.engine.run;

import java.util.ArrayDeque;
import java.util.ArrayList;

/**
 * The bolts of a loop that have work, in the order of their turns. Spouts get their turns once in every round, so they must not
 * take turns of bolts. Belongs to the loop.
 */
final class ReadySlots {

    private final ArrayDeque<ExecutorSlot> ready = new ArrayDeque<>();

    /** Bolts that were held back in this round. */
    private final ArrayList<ExecutorSlot> deferred = new ArrayList<>();

    private Runnable onPressureReleased = () -> {};

    void onPressureReleased(Runnable action) {
        onPressureReleased = action;
    }

    ExecutorSlot poll() {
        ExecutorSlot slot = ready.poll();
        if (slot != null) {
            slot.ready = false;
        }
        return slot;
    }

    boolean isEmpty() {
        return ready.isEmpty();
    }

    /** Queues an executor that had no work before. */
    void arrived(ExecutorSlot slot) {
        if (!slot.ready) {
            add(slot);
            measure(slot);
        }
    }

    void add(ExecutorSlot slot) {
        if (!slot.ready
                && !slot.detached
                && !slot.isSpout()
                && (slot.hasInput() || slot.executor().isPolled())) {
            slot.ready = true;
            ready.add(slot);
        }
    }

    void defer(ExecutorSlot slot) {
        // The queue of a held-back executor must be measured too, or it would never cause back-pressure upstream.
        measure(slot);
        slot.ready = true;
        deferred.add(slot);
    }

    /** Queues the bolts that were held back again, for the next round. */
    void reconsider() {
        for (int i = 0; i < deferred.size(); i++) {
            ready.add(deferred.get(i));
        }
        deferred.clear();
    }

    void remove(ExecutorSlot slot) {
        ready.remove(slot);
        deferred.remove(slot);
    }

    void measure(ExecutorSlot slot) {
        if (slot.measure()) {
            onPressureReleased.run();
        }
    }
}
