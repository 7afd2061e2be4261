package io.updraft.pipeline.run;

import io.updraft.observe.pipeline.PartitionLag;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** Finds the partitions that are furthest behind. */
final class LagRanking {

    /** The number of partitions that are named. */
    public static final int WORST = 10;

    /** First those for which windows wait, by time; then the others, by records. */
    private static final Comparator<PartitionLag> ORDER = Comparator.comparingLong(LagRanking::waitedFor)
            .thenComparingLong(PartitionLag::records)
            .reversed()
            .thenComparing(PartitionLag::partition);

    private LagRanking() {}

    /**
     * Ranks partitions.
     *
     * @param records the records left to read, by partition; -1 if unknown
     * @param times the latest time of a row, by partition, milliseconds since 1970; {@link Long#MIN_VALUE} if there is none
     * @param held the end of the first window that waits for a partition, milliseconds since 1970, by partition
     */
    public static PartitionLag.Ranking of(Map<String, Long> records, Map<String, Long> times, Map<String, Long> held) {
        long latest = times.values().stream().mapToLong(Long::longValue).max().orElse(Long.MIN_VALUE);
        List<PartitionLag> behind = new ArrayList<>();
        records.forEach((partition, left) -> {
            long time = times.getOrDefault(partition, Long.MIN_VALUE);
            PartitionLag lag = new PartitionLag(
                    partition,
                    left,
                    time == Long.MIN_VALUE ? -1 : latest - time,
                    held.getOrDefault(partition, Long.MIN_VALUE));
            if (lag.isBehind()) {
                behind.add(lag);
            }
        });
        behind.sort(ORDER);
        int named = Math.min(WORST, behind.size());
        return new PartitionLag.Ranking(behind.subList(0, named), behind.size() - named);
    }

    private static long waitedFor(PartitionLag lag) {
        if (!lag.isWaitedFor()) {
            return 0;
        }
        return lag.timeMillis() < 0 ? Long.MAX_VALUE : lag.timeMillis();
    }
}
