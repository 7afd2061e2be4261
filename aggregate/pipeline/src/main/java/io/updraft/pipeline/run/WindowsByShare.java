package io.updraft.pipeline.run;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The windows of a task: one object for each share if shares are aggregated on their own, else one for all partitions. Not thread-safe. */
final class WindowsByShare implements AutoCloseable {

    private final Function<Partition.Share, ShareWindows> create;
    private final Map<Partition.Share, ShareWindows> shares = new LinkedHashMap<>();

    /** The windows of all partitions; null if each share is aggregated on its own. */
    private ShareWindows common;

    /** Creates an empty set. {@code create} makes the windows of a share, or of all partitions for null. */
    WindowsByShare(boolean keyed, Function<Partition.Share, ShareWindows> create) {
        this.create = create;
        common = keyed ? null : create.apply(null);
    }

    /** Returns the windows of a share; null if the share has none. */
    ShareWindows of(Partition.Share share) {
        return common == null ? shares.get(share) : common;
    }

    ShareWindows open(Partition.Share share) {
        return common == null ? shares.computeIfAbsent(share, create) : common;
    }

    /** Closes and removes the windows of a share. Returns the shares whose rows were in it. */
    Set<Partition.Share> remove(Partition.Share share) {
        ShareWindows removed = of(share);
        removed.close();
        if (common == null) {
            shares.remove(share);
            return Set.of(share);
        }
        common = create.apply(null);
        return removed.partitions.keySet().stream().map(Partition::share).collect(Collectors.toSet());
    }

    Iterable<ShareWindows> all() {
        return common == null ? shares.values() : List.of(common);
    }

    void count(TaskCounters counters) {
        long windows = 0;
        long groups = 0;
        long bytes = 0;
        for (ShareWindows each : all()) {
            windows += each.aggregator.windows();
            groups += each.aggregator.groups();
            bytes += each.aggregator.bytes();
        }
        counters.open(windows, groups, bytes);
    }

    /** Returns which partitions hold windows open, each with the end of the first such window. */
    Map<String, Long> held() {
        Map<String, Long> held = new HashMap<>();
        for (ShareWindows each : all()) {
            long end = each.firstOpenEnd();
            Partition slowest = end == Long.MIN_VALUE ? null : each.slowest();
            if (slowest != null) {
                held.put(slowest.name(), end);
            }
        }
        return held;
    }

    /** Returns how far the time of the partitions has come. */
    TaskWatermark watermark() {
        TaskWatermark all = TaskWatermark.NONE;
        for (ShareWindows each : all()) {
            Partition slowest = each.slowest();
            all = all.with(each.watermark(), slowest == null ? null : slowest.name());
        }
        return all;
    }

    /** Returns whether all records that were sent to any task have been handled. */
    boolean areHandled() {
        for (ShareWindows each : all()) {
            if (!each.partitions.keySet().stream()
                    .allMatch(partition -> partition.frontier().isComplete())) {
                return false;
            }
        }
        return true;
    }

    /** Returns how many partitions are in memory. */
    int partitions() {
        int partitions = 0;
        for (ShareWindows each : all()) {
            partitions += each.partitions.size();
        }
        return partitions;
    }

    @Override
    public void close() {
        all().forEach(ShareWindows::close);
        shares.clear();
    }
}
