package io.updraft.engine.loop;

import io.updraft.engine.metrics.ComponentSnapshot;
import io.updraft.engine.metrics.EdgeSnapshot;
import io.updraft.engine.metrics.EngineSnapshot;
import io.updraft.engine.metrics.ExecutorSnapshot;
import io.updraft.engine.metrics.InputSnapshot;
import io.updraft.engine.metrics.LatencySummary;
import io.updraft.engine.metrics.OutputSnapshot;
import io.updraft.engine.metrics.StreamsSnapshot;
import io.updraft.engine.plan.ComponentPlan;
import io.updraft.engine.plan.StreamPlan;
import io.updraft.engine.plan.SubscriptionPlan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/** Reads the state of a running topology without disturbing it. One reader at a time. */
final class View {

    private final Assembly assembly;
    private final long startedAt;
    private final Histogram[] executeTotals;
    private final Histogram[] completeTotals;

    View(Assembly assembly) {
        this.assembly = assembly;
        this.startedAt = assembly.shared().clock().nanoTime();
        int components = assembly.shared().plan().components().size();
        executeTotals = new Histogram[components];
        completeTotals = new Histogram[components];
        Arrays.setAll(executeTotals, i -> Latency.newTotal());
        Arrays.setAll(completeTotals, i -> Latency.newTotal());
    }

    synchronized EngineSnapshot take() {
        Shared shared = assembly.shared();
        List<ComponentSnapshot> components = new ArrayList<>();
        for (ComponentPlan component : shared.plan().components()) {
            components.add(component(component));
        }
        return new EngineSnapshot(
                shared.clock().nanoTime() - startedAt,
                shared.lifecycle().isActive(),
                components,
                edges(),
                assembly.loops().stream().mapToLong(EventLoop::busyNanosForView).toArray(),
                components.stream().mapToLong(ComponentSnapshot::inFlight).sum(),
                shared.errors().recent());
    }

    private ComponentSnapshot component(ComponentPlan component) {
        Roster.Entries roster = assembly.roster().now();
        List<Seat> slots = seatsOf(component, roster);
        List<Executor> counted = roster.counted().stream()
                .filter(executor -> executor.component() == component)
                .toList();
        // Read executed before transferred; see isExecuted.
        long executed = sum(counted, Counter.EXECUTED);
        return new ComponentSnapshot(
                component.id(),
                component.spout(),
                slots.stream()
                        .mapToInt(slot -> slot.executor().plan().taskIds().length)
                        .sum(),
                slots.size(),
                sum(counted, Counter.EMITTED) + outside(counted, OutsideCounts::emitted),
                sum(counted, Counter.TRANSFERRED) + outside(counted, OutsideCounts::transferred),
                executed,
                sum(counted, Counter.ACKED) + outside(counted, OutsideCounts::acked),
                sum(counted, Counter.FAILED) + outside(counted, OutsideCounts::failed),
                sum(counted, Counter.TIMED_OUT),
                sum(counted, Counter.BUSY_NANOS),
                queued(slots),
                sum(counted, Counter.IN_FLIGHT),
                sum(counted, Counter.ERRORS),
                sum(counted, Counter.RESTARTS),
                sum(counted, Counter.DEAD_LETTERED),
                (int) slots.stream().filter(Seat::isApart).count(),
                slots.stream().anyMatch(Seat::congestedForView),
                isThrottled(slots),
                executeLatency(component, counted),
                completeLatency(component, counted),
                ExecutorSnapshot.byFirstTask(counted.stream().map(View::counts)));
    }

    private static ExecutorSnapshot counts(Executor executor) {
        Counters counters = executor.counters();
        OutsideCounts outside = executor.emits().outside().counts();
        return new ExecutorSnapshot(
                executor.plan().taskIds()[0],
                counters.getAcquire(Counter.EMITTED) + outside.emitted(),
                counters.getAcquire(Counter.TRANSFERRED) + outside.transferred(),
                counters.getAcquire(Counter.EXECUTED),
                counters.getAcquire(Counter.ACKED) + outside.acked(),
                counters.getAcquire(Counter.FAILED) + outside.failed(),
                counters.getAcquire(Counter.BUSY_NANOS),
                streamsOf(executor));
    }

    private static StreamsSnapshot streamsOf(Executor executor) {
        List<OutputSnapshot> outputs = IntStream.range(
                        0, executor.component().outputs().size())
                .mapToObj(executor.emits().outputs()::snapshot)
                .toList();
        InCounts counts = executor.emits().inputs();
        List<InputSnapshot> inputs = counts == null
                ? List.of()
                : IntStream.range(0, counts.places()).mapToObj(counts::snapshot).toList();
        return new StreamsSnapshot(outputs, inputs);
    }

    private static List<Seat> seatsOf(ComponentPlan component, Roster.Entries roster) {
        return roster.slots().stream()
                .filter(slot -> slot.executor().component() == component)
                .toList();
    }

    private static long sum(List<Executor> executors, Counter counter) {
        long sum = 0;
        for (Executor executor : executors) {
            sum += executor.counters().getAcquire(counter);
        }
        return sum;
    }

    private static long outside(List<Executor> executors, ToLongFunction<OutsideCounts> count) {
        return executors.stream()
                .mapToLong(
                        executor -> count.applyAsLong(executor.emits().outside().counts()))
                .sum();
    }

    private static long queued(List<Seat> slots) {
        return slots.stream()
                .mapToLong(slot -> slot.executor().connection().queuedOnLoop())
                .sum();
    }

    private boolean isThrottled(List<Seat> slots) {
        return !slots.isEmpty() && slots.get(0).executor().isHeldBack();
    }

    private LatencySummary executeLatency(ComponentPlan component, List<Executor> executors) {
        return summarize(executors, Executor::executeLatency, executeTotals[component.index()]);
    }

    private static LatencySummary summarize(
            List<Executor> executors, Function<Executor, Latency> latency, Histogram total) {
        List<Executor> gone = executors.stream().filter(Executor::isRetired).toList();
        LatencySummary summary =
                Latency.summarize(executors.stream().map(latency).toList(), total);
        gone.forEach(executor -> latency.apply(executor).release());
        return summary;
    }

    private LatencySummary completeLatency(ComponentPlan component, List<Executor> executors) {
        if (!component.spout()) {
            return LatencySummary.EMPTY;
        }
        return summarize(
                executors, executor -> ((SpoutExecutor) executor).completeLatency(), completeTotals[component.index()]);
    }

    private List<EdgeSnapshot> edges() {
        List<EdgeSnapshot> edges = new ArrayList<>();
        for (ComponentPlan component : assembly.shared().plan().components()) {
            for (StreamPlan stream : component.outputs()) {
                for (SubscriptionPlan subscription : stream.subscriptions()) {
                    edges.add(edge(component, stream, subscription));
                }
            }
        }
        return edges;
    }

    private EdgeSnapshot edge(ComponentPlan from, StreamPlan stream, SubscriptionPlan subscription) {
        ComponentPlan to = assembly.shared().plan().component(subscription.targetComponentId());
        boolean congested = seatsOf(to, assembly.roster().now()).stream().anyMatch(Seat::congestedForView);
        return new EdgeSnapshot(from.id(), stream.streamId(), to.id(), congested);
    }

    /** Returns whether nothing is in flight in this worker. */
    boolean isIdle() {
        Roster.Entries roster = assembly.roster().now();
        return isExecuted()
                && sum(roster.counted(), Counter.IN_FLIGHT) == 0
                && roster == assembly.roster().now();
    }

    /**
     * Returns whether every tuple in this worker is executed. A tuple counts as transferred before it can count as executed. So
     * if the number executed, read first, equals the number transferred, read later, then all tuples ever sent had been
     * executed in between. Tuples from other workers count as transferred here, and tuples sent to other workers as executed.
     */
    boolean isExecuted() {
        Roster.Entries roster = assembly.roster().now();
        List<Executor> counted = roster.counted();
        if (!assembly.shared().lifecycle().isActive() && sum(counted, Counter.ASKED) > 0) {
            // A spout has not been deactivated yet and may be about to emit.
            return false;
        }
        long executed = sum(counted, Counter.EXECUTED) + assembly.remote().tuplesSent();
        long sent = sum(counted, Counter.TRANSFERRED)
                + sum(counted, Counter.TICKS)
                + assembly.remote().tuplesReceived()
                + outside(counted, OutsideCounts::transferred);
        return executed == sent && roster == assembly.roster().now();
    }
}
