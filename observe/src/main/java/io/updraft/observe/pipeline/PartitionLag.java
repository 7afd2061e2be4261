package io.updraft.observe.pipeline;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * How far one partition of the source is behind.
 *
 * @param partition the partition, such as {@code orders-1}
 * @param records the records that are left to read; -1 if that is not known now
 * @param timeMillis how far the latest time of a row of the partition is behind the latest time of all partitions,
 *     milliseconds; -1 if no row of it has come yet
 * @param holdsUntil the end of a window that waits for a later time of this partition, milliseconds since 1970; {@link
 *     Long#MIN_VALUE} if none does. Earlier windows may wait too, if their records were read in one batch with its records
 */
public record PartitionLag(String partition, long records, long timeMillis, long holdsUntil) {

    private static final long SHORT_MILLIS = 1_000;

    /**
     * The lagging partitions.
     *
     * @param worst those that are furthest behind, the worst first: a few
     * @param more how many others lag
     */
    public record Ranking(List<PartitionLag> worst, int more) {
        /** No partition lags. */
        public static final Ranking NONE = new Ranking(List.of(), 0);

        /** Copies the partitions. */
        public Ranking {
            worst = List.copyOf(worst);
        }
    }

    /** {@return whether a window waits for this partition} */
    public boolean holdsWindow() {
        return holdsUntil != Long.MIN_VALUE;
    }

    /** {@return whether records are left to read, or a window has waited for this partition for a second of the data's time} */
    public boolean isBehind() {
        return records > 0 || isWaitedFor();
    }

    /** {@return whether a window waits for this partition, and other partitions are ahead by a second of the data's time} */
    public boolean isWaitedFor() {
        return holdsWindow() && (timeMillis < 0 || timeMillis >= SHORT_MILLIS);
    }

    /** {@return the lag as a line for a terminal} */
    public String line() {
        List<String> parts = new ArrayList<>();
        parts.add(
                records < 0
                        ? partition + " cannot be read now"
                        : String.format(Locale.ROOT, "%s %,d records behind", partition, records));
        if (timeMillis < 0) {
            parts.add("no row of it has come yet");
        } else if (timeMillis >= SHORT_MILLIS) {
            parts.add(String.format(Locale.ROOT, "its time %,d s behind the others", timeMillis / 1_000));
        }
        String line = String.join(", ", parts);
        return holdsWindow() ? line + "; holds open the window that ends at " + Instant.ofEpochMilli(holdsUntil) : line;
    }
}
