package io.updraft.pipeline.aggregation;

import io.updraft.pipeline.counter.TaskCounters;
import io.updraft.pipeline.plan.AggregationPlan;
import io.updraft.pipeline.unit.Unit;
import io.updraft.timeseries.aggregate.Aggregator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** The shards of a task: one for each group if groups are aggregated on their own, else one for all units. One thread. */
final class ShardSet implements AutoCloseable {

    private final Supplier<Aggregator> aggregators;
    private final long disorder;
    private final long slide;
    private final long lateness;
    private final Map<Unit.Group, AggregationShard> shards = new LinkedHashMap<>();

    /** The shard of all units; null if each group is aggregated on its own. */
    private AggregationShard common;

    ShardSet(AggregationPlan plan, Supplier<Aggregator> aggregators, long disorder, long slide, long lateness) {
        this.aggregators = aggregators;
        this.disorder = disorder;
        this.slide = slide;
        this.lateness = lateness;
        common = plan.settings().keyed() ? null : create(null);
    }

    private AggregationShard create(Unit.Group group) {
        return new AggregationShard(aggregators.get(), group, disorder, slide, lateness);
    }

    /** Returns the shard of a group; null if the group has none. */
    AggregationShard of(Unit.Group group) {
        return common == null ? shards.get(group) : common;
    }

    /** Returns the shard of a group that is opened. */
    AggregationShard open(Unit.Group group) {
        return common == null ? shards.computeIfAbsent(group, this::create) : common;
    }

    /** Closes and removes the shard of a group. Returns the groups whose rows were in it. */
    Set<Unit.Group> remove(Unit.Group group) {
        AggregationShard removed = of(group);
        removed.aggregator().close();
        if (common == null) {
            shards.remove(group);
            return Set.of(group);
        }
        common = create(null);
        return removed.units().keySet().stream().map(Unit::group).collect(Collectors.toSet());
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
            windows += each.aggregator().windows();
            groups += each.aggregator().groups();
            bytes += each.aggregator().bytes();
        }
        counters.open(windows, groups, bytes);
    }

    /** Returns how many units are in memory. */
    int units() {
        int units = 0;
        for (AggregationShard each : all()) {
            units += each.units().size();
        }
        return units;
    }

    @Override
    public void close() {
        all().forEach(each -> each.aggregator().close());
        shards.clear();
    }
}
