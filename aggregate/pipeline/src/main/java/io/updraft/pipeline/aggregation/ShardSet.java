package io.updraft.pipeline.aggregation;

import io.updraft.pipeline.counter.TaskCounters;
import io.updraft.pipeline.counter.TaskWatermark;
import io.updraft.pipeline.unit.Unit;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The shards of a task: one for each group if groups are aggregated on their own, else one for all units. One thread. */
final class ShardSet implements AutoCloseable {

    private final Function<Unit.Group, AggregationShard> create;
    private final Map<Unit.Group, AggregationShard> shards = new LinkedHashMap<>();

    /** The shard of all units; null if each group is aggregated on its own. */
    private AggregationShard common;

    /** Creates an empty set. {@code create} makes the shard of a group, or of all units for null. */
    ShardSet(boolean keyed, Function<Unit.Group, AggregationShard> create) {
        this.create = create;
        common = keyed ? null : create.apply(null);
    }

    /** Returns the shard of a group; null if the group has none. */
    AggregationShard of(Unit.Group group) {
        return common == null ? shards.get(group) : common;
    }

    /** Returns the shard of a group that is opened. */
    AggregationShard open(Unit.Group group) {
        return common == null ? shards.computeIfAbsent(group, create) : common;
    }

    /** Closes and removes the shard of a group. Returns the groups whose rows were in it. */
    Set<Unit.Group> remove(Unit.Group group) {
        AggregationShard removed = of(group);
        removed.aggregator.close();
        if (common == null) {
            shards.remove(group);
            return Set.of(group);
        }
        common = create.apply(null);
        return removed.units.keySet().stream().map(Unit::group).collect(Collectors.toSet());
    }

    Iterable<AggregationShard> all() {
        return common == null ? shards.values() : List.of(common);
    }

    /** Sets the counters of what is in memory. */
    void count(TaskCounters counters) {
        long windows = 0;
        long groups = 0;
        long bytes = 0;
        for (AggregationShard each : all()) {
            windows += each.aggregator.windows();
            groups += each.aggregator.groups();
            bytes += each.aggregator.bytes();
        }
        counters.open(windows, groups, bytes);
    }

    /** Returns which units hold windows open, each with the end of the first such window. */
    Map<String, Long> held() {
        Map<String, Long> held = new HashMap<>();
        for (AggregationShard each : all()) {
            long end = each.firstOpenEnd();
            Unit slowest = end == Long.MIN_VALUE ? null : each.slowest();
            if (slowest != null) {
                held.put(slowest.name(), end);
            }
        }
        return held;
    }

    /** Returns how far the time of the units has come. */
    TaskWatermark watermark() {
        TaskWatermark all = TaskWatermark.NONE;
        for (AggregationShard each : all()) {
            Unit slowest = each.slowest();
            all = all.with(each.watermark(), slowest == null ? null : slowest.name());
        }
        return all;
    }

    /** Returns whether all records that were sent to any task have been handled. */
    boolean areHandled() {
        for (AggregationShard each : all()) {
            if (!each.units.keySet().stream().allMatch(unit -> unit.frontier().isComplete())) {
                return false;
            }
        }
        return true;
    }

    /** Returns how many units are in memory. */
    int units() {
        int units = 0;
        for (AggregationShard each : all()) {
            units += each.units.size();
        }
        return units;
    }

    @Override
    public void close() {
        all().forEach(each -> each.aggregator.close());
        shards.clear();
    }
}
