package io.updraft.engine.loop;

import java.util.ArrayList;
import java.util.List;

/** Who runs here, and who ran here before. Replaced while all loops stand still; read by any thread. */
final class Roster {

    private volatile Entries now;

    /**
     * All at one moment.
     *
     * @param seats the seats of the executors that run
     * @param counted these executors, and those whose tasks others have now, whose counts still count
     * @param executors how many executors there have been: the next one's number
     */
    record Entries(List<Seat> seats, List<Executor> counted, int executors) {}

    /** Enters the first. */
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
        return seats.stream().map(seat -> seat.executor).toList();
    }
}
