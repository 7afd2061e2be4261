package io.updraft.engine.loop;

import io.updraft.engine.metrics.ComponentSnapshot;
import io.updraft.engine.metrics.EdgeSnapshot;
import io.updraft.engine.metrics.EngineSnapshot;
import io.updraft.engine.metrics.LatencySummary;
import io.updraft.engine.plan.ComponentPlan;
import io.updraft.engine.plan.StreamPlan;
import io.updraft.engine.plan.SubscriptionPlan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToLongFunction;
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
        List<Seat> seats = seatsOf(component);
        // Executed before transferred: see isIdle.
        long executed = sum(seats, Counter.EXECUTED);
        return new ComponentSnapshot(
                component.id(),
                component.spout(),
                seats.stream()
                        .mapToInt(seat -> seat.executor.plan.taskIds().length)
                        .sum(),
                seats.size(),
                sum(seats, Counter.EMITTED) + outside(seats, counts -> counts.emitted.sum()),
                sum(seats, Counter.TRANSFERRED) + outside(seats, counts -> counts.transferred.sum()),
                executed,
                sum(seats, Counter.ACKED) + outside(seats, counts -> counts.acked.sum()),
                sum(seats, Counter.FAILED) + outside(seats, counts -> counts.failed.sum()),
                sum(seats, Counter.TIMED_OUT),
                sum(seats, Counter.BUSY_NANOS),
                queued(seats),
                sum(seats, Counter.IN_FLIGHT),
                sum(seats, Counter.ERRORS),
                sum(seats, Counter.RESTARTS),
                sum(seats, Counter.DEAD_LETTERED),
                (int) seats.stream().filter(seat -> seat.apart).count(),
                seats.stream().anyMatch(Seat::congestedForView),
                isThrottled(seats),
                executeLatency(component, seats),
                completeLatency(component, seats));
    }

    private List<Seat> seatsOf(ComponentPlan component) {
        return assembly.seats().stream()
                .filter(seat -> seat.executor.component == component)
                .toList();
    }

    private static long sum(List<Seat> seats, Counter counter) {
        long sum = 0;
        for (Seat seat : seats) {
            sum += seat.executor.counters.getAcquire(counter);
        }
        return sum;
    }

    private static long outside(List<Seat> seats, ToLongFunction<OutsideCounts> count) {
        return seats.stream()
                .mapToLong(seat -> count.applyAsLong(seat.executor.outsideCounts))
                .sum();
    }

    private static long queued(List<Seat> seats) {
        return seats.stream().mapToLong(Seat::queuedForView).sum();
    }

    private boolean isThrottled(List<Seat> seats) {
        return !seats.isEmpty() && assembly.shared().pressure().holdsBack(seats.get(0).executor.downstream);
    }

    private LatencySummary executeLatency(ComponentPlan component, List<Seat> seats) {
        List<Latency> parts =
                seats.stream().map(seat -> seat.executor.executeLatency).toList();
        return Latency.summarize(parts, executeTotals[component.index()]);
    }

    private LatencySummary completeLatency(ComponentPlan component, List<Seat> seats) {
        if (!component.spout()) {
            return LatencySummary.EMPTY;
        }
        List<Latency> parts = seats.stream()
                .map(seat -> ((SpoutExecutor) seat.executor).completeLatency)
                .toList();
        return Latency.summarize(parts, completeTotals[component.index()]);
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
        boolean congested = seatsOf(to).stream().anyMatch(Seat::congestedForView);
        return new EdgeSnapshot(from.id(), stream.streamId(), to.id(), congested);
    }

    /**
     * Whether nothing is in flight in this worker. A tuple counts as transferred before it can count as executed, so if the
     * number executed, read first, equals the number transferred, read later, all that was ever sent had been executed in
     * between. What came from other workers counts as transferred here, and what has left for them as executed.
     */
    boolean isIdle() {
        List<Seat> seats = assembly.seats();
        if (!assembly.shared().lifecycle().isActive() && sum(seats, Counter.ASKED) > 0) {
            // A spout has not heard yet that it is to stop: it may be about to emit.
            return false;
        }
        long executed = sum(seats, Counter.EXECUTED) + assembly.remote().tuplesSent();
        long sent = sum(seats, Counter.TRANSFERRED)
                + sum(seats, Counter.TICKS)
                + assembly.remote().tuplesReceived()
                + outside(seats, counts -> counts.transferred.sum());
        return executed == sent && sum(seats, Counter.IN_FLIGHT) == 0;
    }
}
