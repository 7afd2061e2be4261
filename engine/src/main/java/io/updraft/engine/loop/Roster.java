package io.updraft.engine.loop;

import java.util.ArrayList;
import java.util.List;

/** The executors of this worker, current and former. Replaced while all loops stand still; read by any thread. */
final class Roster {

    private volatile Entries now;

    /**
     * The executors at one moment.
     *
     * @param slots the slots of the current executors
     * @param all the slots of the current executors, and of the former ones, whose counters still count
     * @param executors the number of executors so far, which is the number of the next one
     */
    record Entries(List<Seat> slots, List<Seat> all, int executors) {

        /** Returns the executors whose counters count. */
        List<Executor> counted() {
            return all.stream().map(Seat::executor).toList();
        }
    }

    /** Sets the first slots. */
    void begin(List<Seat> slots, int executors) {
        now = new Entries(List.copyOf(slots), List.copyOf(slots), executors);
    }

    /** Replaces slots by others. */
    void replace(List<Seat> old, List<Seat> next) {
        List<Seat> slots = new ArrayList<>(now.slots);
        slots.removeAll(old);
        slots.addAll(next);
        List<Seat> all = new ArrayList<>(now.all);
        all.addAll(next);
        now = new Entries(List.copyOf(slots), List.copyOf(all), now.executors + next.size());
    }

    Entries now() {
        return now;
    }
}
