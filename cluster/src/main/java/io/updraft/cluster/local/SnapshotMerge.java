package io.updraft.cluster.local;

import io.updraft.engine.plan.ComponentPlan;
import io.updraft.engine.plan.Plan;
import io.updraft.engine.snapshot.CallInProgress;
import io.updraft.engine.snapshot.ComponentSnapshot;
import io.updraft.engine.snapshot.EdgeSnapshot;
import io.updraft.engine.snapshot.EngineSnapshot;
import io.updraft.engine.snapshot.ErrorReport;
import io.updraft.engine.snapshot.ExecutorSnapshot;
import io.updraft.engine.snapshot.KeyedStream;
import io.updraft.engine.snapshot.LastSeen;
import io.updraft.engine.snapshot.LatencySummary;
import io.updraft.engine.snapshot.Move;
import io.updraft.engine.snapshot.MoveLog;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Merges the states of a topology's workers into one.
 *
 * <p>Counts and histograms are added. Percentiles cannot be added: each is the largest of all workers, so a shown latency is never better than
 * that of any worker.
 */
record SnapshotMerge(Plan plan) {
    private static final int MAX_ERRORS = 64;

    EngineSnapshot merge(long uptimeNanos, boolean active, List<EngineSnapshot> parts, List<Move> ownMoves) {
        Map<String, ComponentSnapshot> sums = new LinkedHashMap<>();
        plan.components().forEach(component -> sums.put(component.id(), nothing(component)));
        Map<EdgeSnapshot, Boolean> edges = new LinkedHashMap<>();
        List<ErrorReport> errors = new ArrayList<>();
        for (EngineSnapshot part : parts) {
            part.components().forEach(each -> sums.computeIfPresent(each.id(), (id, sum) -> sum(sum, each)));
            part.edges().forEach(edge -> edges.merge(edge(edge, false), edge.backPressured(), Boolean::logicalOr));
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
                newest(errors),
                parts.stream()
                        .flatMap(part -> part.calls().stream())
                        .sorted(Comparator.comparing(CallInProgress::nanos).reversed())
                        .toList(),
                KeyedStream.merge(parts.stream().flatMap(part -> part.keyed().stream())),
                MoveLog.newest(Stream.concat(Stream.of(ownMoves), parts.stream().map(EngineSnapshot::moves))),
                LastSeen.merge(parts.stream().flatMap(part -> part.lastSeen().stream())));
    }

    /**
     * Adds the last state of an ended process to the counts of the worker's earlier processes. Tuples queued and in flight are
     * dropped.
     */
    static EngineSnapshot retire(EngineSnapshot before, EngineSnapshot last) {
        return continued(before, withoutFlight(last, last.active(), last.loopBusyNanos()));
    }

    /** Returns the counts of a topology whose workers have all ended, for the workers that replace them. */
    static EngineSnapshot ended(EngineSnapshot last) {
        return withoutFlight(last, false, new long[0]);
    }

    private static EngineSnapshot withoutFlight(EngineSnapshot last, boolean active, long[] loopBusyNanos) {
        return new EngineSnapshot(
                last.uptimeNanos(),
                active,
                last.components().stream().map(SnapshotMerge::withoutFlight).toList(),
                last.edges().stream().map(edge -> edge(edge, false)).toList(),
                loopBusyNanos,
                0,
                last.recentErrors(),
                List.of(),
                List.of(),
                last.moves(),
                last.lastSeen().stream().filter(each -> !each.isInFlight()).toList());
    }

    /** Adds the state of a running process to the counts of the worker's earlier processes, if any. */
    static EngineSnapshot continued(EngineSnapshot before, EngineSnapshot now) {
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
        now.components().forEach(each -> components.merge(each.id(), each, SnapshotMerge::sum));
        errors.addAll(now.recentErrors());
        return new EngineSnapshot(
                now.uptimeNanos(),
                now.active(),
                List.copyOf(components.values()),
                now.edges(),
                busy,
                now.inFlightTrees(),
                newest(errors),
                now.calls(),
                now.keyed(),
                MoveLog.newest(Stream.of(before == null ? List.of() : before.moves(), now.moves())),
                LastSeen.merge(Stream.concat(
                        before == null ? Stream.empty() : before.lastSeen().stream(), now.lastSeen().stream())));
    }

    private static List<ErrorReport> newest(List<ErrorReport> errors) {
        return errors.stream()
                .sorted(Comparator.comparingLong(ErrorReport::timeMillis))
                .skip(Math.max(0, errors.size() - MAX_ERRORS))
                .toList();
    }

    private static EdgeSnapshot edge(EdgeSnapshot edge, boolean backPressured) {
        return new EdgeSnapshot(edge.from(), edge.stream(), edge.to(), backPressured);
    }

    private static ComponentSnapshot nothing(ComponentPlan component) {
        String id = component.id();
        boolean spout = component.spout();
        int tasks = component.taskIds().length;
        int executors = component.executors().length;
        LatencySummary nil = LatencySummary.EMPTY;
        return new ComponentSnapshot(
                id, spout, tasks, executors, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, false, false, nil, nil, List.of());
    }

    /** Keeps the counts of a component, and drops the values of the moment, such as its queue. */
    private static ComponentSnapshot withoutFlight(ComponentSnapshot all) {
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
                all.executeLatency().withoutInterval(),
                all.completeLatency().withoutInterval(),
                all.byExecutor());
    }

    /** Adds all counts. The numbers of tasks and executors are those of the first. */
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
                Math.max(a.p50Nanos(), b.p50Nanos()),
                Math.max(a.p99Nanos(), b.p99Nanos()),
                Math.max(a.maxNanos(), b.maxNanos()),
                Math.max(a.totalP50Nanos(), b.totalP50Nanos()),
                Math.max(a.totalP99Nanos(), b.totalP99Nanos()),
                a.all().plus(b.all()));
    }
}
