package io.updraft.engine.loop;

import java.util.ArrayList;
import java.util.List;

/** The executors of this worker, current and former. Replaced while all loops stand still; read by any thread. */
final class Roster {

    private volatile Entries now;

    /**
     * The executors at one moment.
     *
     * @param seats the seats of the current executors
     * @param counted the current executors, and the former ones, whose counters still count
     * @param executors the number of executors so far, which is the number of the next one
     */
    record Entries(List<Seat> seats, List<Executor> counted, int executors) {}

    /** Sets the first seats. */
    void begin(List<Seat> seats, int executors) {
        now = new Entries(List.copyOf(seats), executorsOf(seats), executors);
    }

    /** Replaces seats by others. */
    void replace(List<Seat> old, List<Seat> next) {
        List<Seat> seats = new ArrayList<>(now.seats);
        seats.removeAll(old);
        seats.addAll(next);
        List<Executor> counted = new ArrayList<>(now.counted);
        counted.addAll(executorsOf(next));
        now = new Entries(List.copyOf(seats), List.copyOf(counted), now.executors + next.size());
    }

    Entries now() {
        return now;
    }

    private static List<Executor> executorsOf(List<Seat> seats) {
        return seats.stream().map(Seat::executor).toList();
    }
}
