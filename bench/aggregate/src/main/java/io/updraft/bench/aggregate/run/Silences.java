package io.updraft.bench.aggregate.run;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** For how long no results came of a partition, while its records did. One thread only. */
final class Silences {

    private static final int WORST = 5;

    /**
     * A silence.
     *
     * @param partition whose
     * @param from milliseconds since the run began
     * @param millis how long it was
     */
    record Silence(int partition, long from, long millis) {}

    private final long began;
    private final long[] last;
    private final List<Silence> worst = new ArrayList<>();

    /** Begins to listen to as many partitions; {@code now} is by {@link System#nanoTime}. */
    Silences(int partitions, long now) {
        began = now;
        last = new long[partitions];
        Arrays.fill(last, Long.MIN_VALUE);
    }

    /** A result of a partition is there. Before the first one everything starts, which is no silence. */
    void heard(int partition, long now) {
        if (last[partition] != Long.MIN_VALUE) {
            long millis = (now - last[partition]) / 1_000_000;
            if (worst.size() < WORST || millis > worst.get(worst.size() - 1).millis) {
                note(new Silence(partition, (last[partition] - began) / 1_000_000, millis));
            }
        }
        last[partition] = now;
    }

    private void note(Silence silence) {
        // Partitions of one process are silent together; one stands for all.
        for (Silence other : worst) {
            if (silence.from < other.from + other.millis && other.from < silence.from + silence.millis) {
                if (other.millis >= silence.millis) {
                    return;
                }
                worst.remove(other);
                break;
            }
        }
        worst.add(silence);
        worst.sort(Comparator.comparingLong(Silence::millis).reversed());
        if (worst.size() > WORST) {
            worst.remove(WORST);
        }
    }

    /** {@return the longest, of different times, the longest one first} */
    List<Silence> worst() {
        return List.copyOf(worst);
    }
}
