package io.updraft.engine.run;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Decides which executor moves to another loop, from the busy time of each executor since the last look.
 *
 * <p>A tuple that crosses between loops costs about a tenth of a microsecond more than one that does not. So moving an executor
 * is worthwhile only if its calls cost considerably more. Components with very cheap calls are best left together on one loop,
 * even if another loop is idle.
 */
final class LoopBalancer {

    /** A loop that is busy for less than this share of the time is not relieved. */
    private static final double BUSY = 0.85;

    /** The smallest difference of busy shares between the two loops. */
    private static final double GAP = 0.25;

    /** A call must cost at least this much, nanoseconds, for its executor to be moved away from its neighbours. */
    private static final double WORTH_A_CROSSING_NANOS = 300;

    private final LoopAssembly assembly;
    /** The slots of the last look, and the busy time of each. */
    private List<ExecutorSlot> evaluated = List.of();

    private long[] busyBefore = {};

    /**
     * The best move of the last look. A move is made only if two looks agree, because one look at a busy machine proves
     * nothing.
     */
    private Optional<Move> before = Optional.empty();

    /**
     * A move of an executor.
     *
     * @param slot the slot of the executor
     * @param to the new loop
     * @param reason why, in one line
     */
    public record Move(ExecutorSlot slot, EventLoop to, String reason) {
        private boolean isSame(Move other) {
            return slot == other.slot && to == other.to;
        }
    }

    public LoopBalancer(LoopAssembly assembly) {
        this.assembly = assembly;
    }

    /**
     * Evaluates the load since the last look.
     *
     * @param nanos the time since the last look
     * @return the best move, if it is worthwhile and was the best at the last look too
     */
    public Optional<Move> evaluate(long nanos) {
        List<ExecutorSlot> slots = assembly.slots();
        if (slots != evaluated) {
            begin(slots);
            return Optional.empty();
        }
        double[] share = new double[slots.size()];
        double[] perCall = new double[slots.size()];
        double[] loops = new double[assembly.loops().size()];
        for (int i = 0; i < share.length; i++) {
            Executor executor = slots.get(i).executor();
            long busy = executor.counters().getAcquire(ExecutorCounter.BUSY_NANOS);
            share[i] = (double) (busy - busyBefore[i]) / nanos;
            perCall[i] = executor.counters().getAcquire(ExecutorCounter.CALL_NANOS);
            busyBefore[i] = busy;
            if (!slots.get(i).isDetached()) {
                loops[slots.get(i).loop().index()] += share[i];
            }
        }
        Optional<Move> best = best(slots, share, perCall, loops);
        boolean again = best.isPresent() && before.isPresent() && best.get().isSame(before.get());
        before = best;
        return again ? best : Optional.empty();
    }

    /** Records the busy times of new executors, to compare with at the next look. */
    private void begin(List<ExecutorSlot> slots) {
        evaluated = slots;
        busyBefore = slots.stream()
                .mapToLong(slot -> slot.executor().counters().getAcquire(ExecutorCounter.BUSY_NANOS))
                .toArray();
        before = Optional.empty();
    }

    private Optional<Move> best(List<ExecutorSlot> slots, double[] share, double[] perCall, double[] loops) {
        int from = indexOfLargest(loops, 1);
        int to = indexOfLargest(loops, -1);
        double gap = loops[from] - loops[to];
        if (loops[from] < BUSY || gap < GAP) {
            return Optional.empty();
        }
        return slots.stream()
                .filter(slot -> !slot.isDetached() && slot.loop().index() == from)
                .filter(slot -> perCall[index(slot)] >= WORTH_A_CROSSING_NANOS)
                // The move must bring the busy shares of the two loops closer together.
                .filter(slot -> share[index(slot)] < gap * 0.9 && share[index(slot)] > 0.02)
                .min(Comparator.comparingDouble(slot -> Math.abs(gap / 2 - share[index(slot)])))
                .map(slot -> new Move(
                        slot,
                        assembly.loops().get(to),
                        String.format(
                                Locale.ROOT,
                                "loop %d was %.0f%% busy, loop %d %.0f%%",
                                from,
                                100 * loops[from],
                                to,
                                100 * loops[to])));
    }

    private int index(ExecutorSlot slot) {
        return evaluated.indexOf(slot);
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
