package io.updraft.bench.aggregate.run;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** Finds the longest times without results of a partition. One thread only. */
final class ResultGaps {

    private static final int WORST = 5;

    /**
     * A time without results.
     *
     * @param partition the input partition
     * @param from the start, in milliseconds since the start of the run
     * @param millis the length in milliseconds
     */
    record Gap(int partition, long from, long millis) {}

    private final long began;
    private final long[] last;
    private final List<Gap> worst = new ArrayList<>();

    /** Starts to observe {@code partitions} partitions; {@code now} is by {@link System#nanoTime}. */
    ResultGaps(int partitions, long now) {
        began = now;
        last = new long[partitions];
        Arrays.fill(last, Long.MIN_VALUE);
    }

    /** Records a result of a partition. The time before a partition's first result is the start, and is no silence. */
    void resultArrived(int partition, long now) {
        if (last[partition] != Long.MIN_VALUE) {
            long millis = (now - last[partition]) / 1_000_000;
            if (worst.size() < WORST || millis > worst.get(worst.size() - 1).millis) {
                note(new Gap(partition, (last[partition] - began) / 1_000_000, millis));
            }
        }
        last[partition] = now;
    }

    private void note(Gap silence) {
        // Partitions of one process are silent at the same time; keep only the longest silence of them.
        for (Gap other : worst) {
            if (silence.from < other.from + other.millis && other.from < silence.from + silence.millis) {
                if (other.millis >= silence.millis) {
                    return;
                }
                worst.remove(other);
                break;
            }
        }
        worst.add(silence);
        worst.sort(Comparator.comparingLong(Gap::millis).reversed());
        if (worst.size() > WORST) {
            worst.remove(WORST);
        }
    }

    /** {@return the longest silences that do not overlap, longest first} */
    List<Gap> worst() {
        return List.copyOf(worst);
    }
}
