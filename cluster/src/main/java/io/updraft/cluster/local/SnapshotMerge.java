package io.updraft.cluster.local;

import io.updraft.engine.api.ErrorReport;
import io.updraft.engine.metrics.ComponentSnapshot;
import io.updraft.engine.metrics.EdgeSnapshot;
import io.updraft.engine.metrics.EngineSnapshot;
import io.updraft.engine.metrics.ExecutorSnapshot;
import io.updraft.engine.metrics.LatencySummary;
import io.updraft.engine.plan.ComponentPlan;
import io.updraft.engine.plan.Plan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Makes one picture of a topology from its workers' parts.
 *
 * <p>Counts are sums. Percentiles cannot be added: each is that of the worker where it is largest, so that a latency shown is
 * never better than what every worker keeps to.
 */
final class SnapshotMerge {
    private static final int MOST_ERRORS = 64;

    private final Plan plan;

    SnapshotMerge(Plan plan) {
        this.plan = plan;
    }

    /**
     * Joins the parts.
     *
     * @param uptimeNanos age of the topology
     * @param active whether spouts are asked for tuples
     * @param parts what each worker has to tell, those that are gone included
     */
    EngineSnapshot merge(long uptimeNanos, boolean active, List<EngineSnapshot> parts) {
        Map<String, ComponentSnapshot> sums = new LinkedHashMap<>();
        plan.components().forEach(component -> sums.put(component.id(), nothing(component)));
        Map<EdgeSnapshot, Boolean> edges = new LinkedHashMap<>();
        List<ErrorReport> errors = new ArrayList<>();
        for (EngineSnapshot part : parts) {
            part.components().forEach(each -> sums.computeIfPresent(each.id(), (id, sum) -> sum(sum, each)));
            part.edges().forEach(edge -> edges.merge(key(edge), edge.backPressured(), Boolean::logicalOr));
            errors.addAll(part.recentErrors());
        }
        List<ComponentSnapshot> components = List.copyOf(sums.values());
        return new EngineSnapshot(
                uptimeNanos,
                active,
                components,
                edges.entrySet().stream()
                        .map(edge -> edge(edge.getKey(), edge.getValue()))
                        .toList(),
                parts.stream()
                        .flatMapToLong(part -> Arrays.stream(part.loopBusyNanos()))
                        .toArray(),
                components.stream().mapToLong(ComponentSnapshot::inFlight).sum(),
                newest(errors));
    }

    /**
     * Adds what a process of a worker did to what its predecessors did.
     *
     * @param before what they did, or null
     * @param last its last state; what it held at that moment is gone with it
     */
    static EngineSnapshot retire(EngineSnapshot before, EngineSnapshot last) {
        return plus(before, last, false);
    }

    /**
     * Adds the state of a worker's process to what its predecessors did.
     *
     * @param before what they did, or null
     * @param now the process' state
     */
    static EngineSnapshot continued(EngineSnapshot before, EngineSnapshot now) {
        return plus(before, now, true);
    }

    /**
     * What a topology did whose workers have all ended, as the part of it that lies before those that take their place.
     *
     * @param last its last state; what it held at that moment is gone, and so are its loops
     */
    static EngineSnapshot ended(EngineSnapshot last) {
        return new EngineSnapshot(
                last.uptimeNanos(),
                false,
                last.components().stream().map(SnapshotMerge::past).toList(),
                last.edges().stream().map(edge -> edge(edge, false)).toList(),
                new long[0],
                0,
                last.recentErrors());
    }

    private static EngineSnapshot plus(EngineSnapshot before, EngineSnapshot now, boolean alive) {
        Map<String, ComponentSnapshot> components = new LinkedHashMap<>();
        List<ErrorReport> errors = new ArrayList<>();
        long[] busy = now.loopBusyNanos().clone();
        if (before != null) {
            before.components().forEach(each -> components.put(each.id(), each));
            errors.addAll(before.recentErrors());
            for (int i = 0; i < Math.min(busy.length, before.loopBusyNanos().length); i++) {
                busy[i] += before.loopBusyNanos()[i];
            }
        }
        for (ComponentSnapshot each : now.components()) {
            components.merge(each.id(), alive ? each : past(each), SnapshotMerge::sum);
        }
        errors.addAll(now.recentErrors());
        return new EngineSnapshot(
                now.uptimeNanos(),
                now.active(),
                List.copyOf(components.values()),
                alive
                        ? now.edges()
                        : now.edges().stream().map(edge -> edge(edge, false)).toList(),
                busy,
                alive ? now.inFlightTrees() : 0,
                newest(errors));
    }

    private static List<ErrorReport> newest(List<ErrorReport> errors) {
        return errors.stream()
                .sorted(Comparator.comparingLong(ErrorReport::timeMillis))
                .skip(Math.max(0, errors.size() - MOST_ERRORS))
                .toList();
    }

    private static EdgeSnapshot key(EdgeSnapshot edge) {
        return edge(edge, false);
    }

    private static EdgeSnapshot edge(EdgeSnapshot edge, boolean backPressured) {
        return new EdgeSnapshot(edge.from(), edge.stream(), edge.to(), backPressured);
    }

    private static ComponentSnapshot nothing(ComponentPlan component) {
        return new ComponentSnapshot(
                component.id(),
                component.spout(),
                component.taskIds().length,
                component.executors().length,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                false,
                false,
                LatencySummary.EMPTY,
                LatencySummary.EMPTY,
                List.of());
    }

    /** What a component did, without what it was doing. */
    private static ComponentSnapshot past(ComponentSnapshot all) {
        return new ComponentSnapshot(
                all.id(),
                all.spout(),
                all.tasks(),
                all.executors(),
                all.emitted(),
                all.transferred(),
                all.executed(),
                all.acked(),
                all.failed(),
                all.timedOut(),
                all.busyNanos(),
                0,
                0,
                all.errors(),
                all.restarts(),
                all.deadLettered(),
                0,
                false,
                false,
                all.executeLatency(),
                all.completeLatency(),
                all.byExecutor());
    }

    /** Sums of all but the numbers of tasks and executors, which are those of the first. */
    private static ComponentSnapshot sum(ComponentSnapshot a, ComponentSnapshot b) {
        return new ComponentSnapshot(
                a.id(),
                a.spout(),
                a.tasks(),
                a.executors(),
                a.emitted() + b.emitted(),
                a.transferred() + b.transferred(),
                a.executed() + b.executed(),
                a.acked() + b.acked(),
                a.failed() + b.failed(),
                a.timedOut() + b.timedOut(),
                a.busyNanos() + b.busyNanos(),
                a.queued() + b.queued(),
                a.inFlight() + b.inFlight(),
                a.errors() + b.errors(),
                a.restarts() + b.restarts(),
                a.deadLettered() + b.deadLettered(),
                a.ownThreads() + b.ownThreads(),
                a.backPressured() || b.backPressured(),
                a.throttled() || b.throttled(),
                worst(a.executeLatency(), b.executeLatency()),
                worst(a.completeLatency(), b.completeLatency()),
                ExecutorSnapshot.byFirstTask(Stream.concat(a.byExecutor().stream(), b.byExecutor().stream())));
    }

    private static LatencySummary worst(LatencySummary a, LatencySummary b) {
        return new LatencySummary(
                a.count() + b.count(),
                Math.max(a.p50Nanos(), b.p50Nanos()),
                Math.max(a.p99Nanos(), b.p99Nanos()),
                Math.max(a.maxNanos(), b.maxNanos()),
                Math.max(a.totalP50Nanos(), b.totalP50Nanos()),
                Math.max(a.totalP99Nanos(), b.totalP99Nanos()));
    }
}
