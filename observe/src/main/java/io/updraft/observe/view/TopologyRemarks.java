package io.updraft.observe.view;

import io.updraft.engine.snapshot.ComponentSnapshot;
import io.updraft.engine.snapshot.EdgeSnapshot;
import io.updraft.observe.process.WorkerStatus;
import io.updraft.observe.view.Remark.Kind;
import io.updraft.observe.view.TopologySample.ComponentRates;
import java.time.ZoneId;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/** Finds what is worth saying about a topology of a run. */
public final class TopologyRemarks {
    private static final int MAX_ERRORS = 3;

    private final TopologySample sample;
    private final ZoneId zone;
    private final Remarks remarks = new Remarks();

    private TopologyRemarks(TopologySample sample, ZoneId zone) {
        this.sample = sample;
        this.zone = zone;
    }

    /**
     * Finds the remarks on a sample.
     *
     * @param sample the sample
     * @param zone the zone of the times in the remarks
     * @return the remarks
     */
    public static Remarks of(TopologySample sample, ZoneId zone) {
        TopologyRemarks topology = new TopologyRemarks(sample, zone);
        topology.addCalls();
        topology.addHeaps();
        topology.addWorkers();
        topology.addLimits();
        topology.addMessages();
        topology.addErrors();
        topology.addThreads();
        return topology.remarks;
    }

    private void addCalls() {
        sample.now()
                .calls()
                .forEach(call ->
                        remarks.add(call.deadlocked() ? Kind.DEADLOCK : Kind.STUCK, call.component(), call.describe()));
    }

    private void addHeaps() {
        sample.fullHeaps().forEach(heap -> remarks.add(Kind.HEAP_FULL, null, heap));
    }

    private void addWorkers() {
        List<WorkerStatus> workers = sample.workers();
        Kind kind = WorkerLines.shortage(workers).isPresent()
                ? Kind.WORKER_DOWN
                : workers.stream().anyMatch(WorkerLines::isTroubled) ? Kind.WORKER_RESTARTED : Kind.WORKERS;
        WorkerLines.of(workers, zone).forEach(line -> remarks.add(kind, null, line));
    }

    private void addLimits() {
        Bottleneck.of(sample).ifPresent(found -> remarks.add(Kind.BOTTLENECK, found.componentId(), found.verdict()));
        // More executors do not help against a call that does not return.
        boolean isAdvised = sample.advice() != null && sample.now().calls().isEmpty();
        remarks.add(Kind.ADVICE, null, isAdvised ? sample.advice().line() : "");
        sample.hotKeys().forEach(key -> remarks.add(Kind.HOT_KEY, key.to(), HotKeyLines.describe(key, sample)));
        remarks.add(
                Kind.BACK_PRESSURE,
                null,
                sample.now().edges().stream()
                        .filter(EdgeSnapshot::backPressured)
                        .map(edge -> edge.from() + " -> " + edge.to()
                                + (edge.stream().equals("default") ? "" : " (" + edge.stream() + ")"))
                        .distinct()
                        .collect(Collectors.joining(", ")));
    }

    private void addMessages() {
        remarks.add(Kind.NEVER_ACKED, null, TupleHolders.neverAcked(sample));
        sample.components().stream()
                .filter(component -> component.failed() > 0)
                .sorted(Comparator.comparing(ComponentRates::failed).reversed())
                .forEach(component -> remarks.add(
                        Kind.FAILING,
                        component.id(),
                        component.id() + ": " + QuantityFormat.count(component.failed())
                                + (component.now().spout() ? " tuple trees/s fail" : " tuples/s fail")));
        remarks.add(Kind.TIMED_OUT, null, TupleHolders.timedOut(sample.now()));
        remarks.add(Kind.DEAD_LETTERED, null, counts(ComponentSnapshot::deadLettered));
    }

    private void addErrors() {
        remarks.add(Kind.ERROR, null, counts(ComponentSnapshot::errors));
        List<ErrorGroup> groups = ErrorGroup.of(sample.now().recentErrors());
        for (int i = groups.size() - 1; i >= Math.max(0, groups.size() - MAX_ERRORS); i--) {
            remarks.add(
                    Kind.ERROR,
                    groups.get(i).newest().componentId(),
                    "  " + groups.get(i).line(zone));
        }
        remarks.add(Kind.RESTARTED, null, counts(ComponentSnapshot::restarts));
    }

    private void addThreads() {
        remarks.add(Kind.BLOCKING, null, counts(ComponentSnapshot::ownThreads));
    }

    private String counts(ToLongFunction<ComponentSnapshot> count) {
        return FlowOrder.of(sample.now()).stream()
                .filter(component -> count.applyAsLong(component) > 0)
                .map(component -> component.id() + " " + QuantityFormat.whole(count.applyAsLong(component)))
                .collect(Collectors.joining(", "));
    }
}
