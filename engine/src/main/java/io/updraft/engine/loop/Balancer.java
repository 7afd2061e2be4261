package io.updraft.engine.loop;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Decides which executor is to move to another loop, from what each has been busy with since the last look.
 *
 * <p>A tuple that crosses between loops costs about a tenth of a microsecond more than one that does not. So an executor
 * is worth moving only if its calls cost a good deal more than that; components that do next to nothing are best left
 * together on one loop, even if another loop is idle.
 */
final class Balancer {

    /** A loop that is busy for less than this share of the time needs no help. */
    private static final double BUSY = 0.85;

    /** How much less busy the other loop has to be. */
    private static final double GAP = 0.25;

    /** A call must cost at least this much, nanoseconds, for its executor to be moved away from its neighbours. */
    private static final double WORTH_A_CROSSING_NANOS = 300;

    private final Assembly assembly;
    /** Who was looked at the last time, and how busy each had been. */
    private List<Seat> looked = List.of();

    private long[] busyBefore = {};

    /** What would have been done after the last look: one look at a busy machine proves nothing. */
    private Optional<Move> before = Optional.empty();

    /**
     * A move.
     *
     * @param seat the executor's
     * @param to where it is to go
     */
    record Move(Seat seat, EventLoop to) {}

    Balancer(Assembly assembly) {
        this.assembly = assembly;
    }

    /**
     * Looks at the load since the last look.
     *
     * @param nanos the time since then
     * @return the best move, if there is one that is worth it and was the best at the last look as well
     */
    Optional<Move> look(long nanos) {
        List<Seat> seats = assembly.seats();
        if (seats != looked) {
            begin(seats);
            return Optional.empty();
        }
        double[] share = new double[seats.size()];
        double[] perCall = new double[seats.size()];
        double[] loops = new double[assembly.loops().size()];
        for (int i = 0; i < share.length; i++) {
            Executor executor = seats.get(i).executor;
            long busy = executor.counters.getAcquire(Counter.BUSY_NANOS);
            share[i] = (double) (busy - busyBefore[i]) / nanos;
            perCall[i] = executor.counters.getAcquire(Counter.CALL_NANOS);
            busyBefore[i] = busy;
            if (!seats.get(i).apart) {
                loops[executor.home.index] += share[i];
            }
        }
        Optional<Move> best = best(seats, share, perCall, loops);
        boolean again = best.isPresent() && best.equals(before);
        before = best;
        return again ? best : Optional.empty();
    }

    /** The first look at these executors: from now on there is something to compare with. */
    private void begin(List<Seat> seats) {
        looked = seats;
        busyBefore = seats.stream()
                .mapToLong(seat -> seat.executor.counters.getAcquire(Counter.BUSY_NANOS))
                .toArray();
        before = Optional.empty();
    }

    private Optional<Move> best(List<Seat> seats, double[] share, double[] perCall, double[] loops) {
        int from = indexOfLargest(loops, 1);
        int to = indexOfLargest(loops, -1);
        double gap = loops[from] - loops[to];
        if (loops[from] < BUSY || gap < GAP) {
            return Optional.empty();
        }
        return seats.stream()
                .filter(seat -> !seat.apart && seat.executor.home.index == from)
                .filter(seat -> perCall[index(seat)] >= WORTH_A_CROSSING_NANOS)
                // Moving it must leave the two loops closer to each other than they were.
                .filter(seat -> share[index(seat)] < gap * 0.9 && share[index(seat)] > 0.02)
                .min(Comparator.comparingDouble(seat -> Math.abs(gap / 2 - share[index(seat)])))
                .map(seat -> new Move(seat, assembly.loops().get(to)));
    }

    /** Its position among the seats of this worker. */
    private int index(Seat seat) {
        return looked.indexOf(seat);
    }

    private static int indexOfLargest(double[] values, int sign) {
        int best = 0;
        for (int i = 1; i < values.length; i++) {
            if (sign * values[i] > sign * values[best]) {
                best = i;
            }
        }
        return best;
    }
}
