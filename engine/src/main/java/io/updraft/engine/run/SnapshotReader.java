package io.updraft.engine.run;

import io.updraft.engine.plan.ComponentPlan;
import io.updraft.engine.plan.StreamPlan;
import io.updraft.engine.plan.SubscriptionPlan;
import io.updraft.engine.run.LoopAssembly.ExecutorRegistry;
import io.updraft.engine.snapshot.CallInProgress;
import io.updraft.engine.snapshot.ComponentSnapshot;
import io.updraft.engine.snapshot.EdgeSnapshot;
import io.updraft.engine.snapshot.EngineSnapshot;
import io.updraft.engine.snapshot.ExecutorSnapshot;
import io.updraft.engine.snapshot.InputSnapshot;
import io.updraft.engine.snapshot.LastSeen;
import io.updraft.engine.snapshot.LatencySummary;
import io.updraft.engine.snapshot.OutputSnapshot;
import io.updraft.engine.snapshot.StreamsSnapshot;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;

/** Reads the state of a running topology without disturbing it. One reader at a time. */
final class SnapshotReader {
    private static final int LOOKS = 3;

    private final LoopAssembly assembly;
    private final CallReader calls = new CallReader(this::isCongested);
    private final long startedAt;
    private final LatencyTotal[] executeTotals;
    private final LatencyTotal[] completeTotals;

    public SnapshotReader(LoopAssembly assembly) {
        this.assembly = assembly;
        this.startedAt = assembly.shared().clock().nanoTime();
        int components = assembly.shared().plan().components().size();
        executeTotals = new LatencyTotal[components];
        completeTotals = new LatencyTotal[components];
        Arrays.setAll(executeTotals, i -> new LatencyTotal());
        Arrays.setAll(completeTotals, i -> new LatencyTotal());
    }

    public synchronized EngineSnapshot read() {
        TopologyServices shared = assembly.shared();
        long now = shared.clock().nanoTime();
        List<ComponentSnapshot> components = new ArrayList<>();
        for (ComponentPlan component : shared.plan().components()) {
            components.add(component(component, now));
        }
        return new EngineSnapshot(
                now - startedAt,
                shared.lifecycle().isActive(),
                components,
                edges(),
                assembly.loops().stream()
                        .mapToLong(EventLoop::publishedBusyNanos)
                        .toArray(),
                components.stream().mapToLong(ComponentSnapshot::inFlight).sum(),
                shared.errors().recent(),
                stuckCalls(),
                shared.keys().read(now, shared.overload()::hasLongQueue),
                shared.moves().recent(),
                lastSeen(now));
    }

    private List<LastSeen> lastSeen(long now) {
        return LastSeen.merge(assembly.registry().get().counted().stream()
                .filter(SpoutExecutor.class::isInstance)
                .flatMap(spout -> ((SpoutExecutor) spout)
                        .trees()
                        .places()
                        .read(spout.component().id(), now)));
    }

    /** Returns the calls of user code that are stuck, the longest first. */
    public List<CallInProgress> stuckCalls() {
        List<Executor> executors = assembly.executors();
        return calls.read(executors, assembly.shared().clock().nanoTime());
    }

    private ComponentSnapshot component(ComponentPlan component, long now) {
        ExecutorRegistry registry = assembly.registry().get();
        List<ExecutorSlot> slots = slotsOf(component, registry);
        List<Executor> counted = registry.counted().stream()
                .filter(executor -> executor.component() == component)
                .toList();
        // Read executed before transferred; see isExecuted.
        long executed = sum(counted, ExecutorCounter.EXECUTED);
        return new ComponentSnapshot(
                component.id(),
                component.spout(),
                slots.stream()
                        .mapToInt(slot -> slot.executor().plan().taskIds().length)
                        .sum(),
                slots.size(),
                sum(counted, ExecutorCounter.EMITTED),
                sum(counted, ExecutorCounter.TRANSFERRED),
                executed,
                sum(counted, ExecutorCounter.ACKED),
                sum(counted, ExecutorCounter.FAILED),
                sum(counted, ExecutorCounter.TIMED_OUT),
                counted.stream().mapToLong(executor -> busyNanos(executor, now)).sum(),
                slots.stream()
                        .mapToLong(slot -> slot.executor().connection().queued())
                        .sum(),
                sum(counted, ExecutorCounter.IN_FLIGHT),
                sum(counted, ExecutorCounter.ERRORS)
                        + assembly.shared().errors().reportedBy(component.id()),
                sum(counted, ExecutorCounter.RESTARTS),
                sum(counted, ExecutorCounter.DEAD_LETTERED),
                (int) slots.stream().filter(ExecutorSlot::isDetached).count(),
                slots.stream().anyMatch(ExecutorSlot::isCongested),
                slots.stream().limit(1).anyMatch(slot -> slot.executor().isHeldBack()),
                summarize(counted, Executor::executeLatency, executeTotals[component.index()]),
                component.spout()
                        ? summarize(
                                counted,
                                executor -> ((SpoutExecutor) executor).completeLatency(),
                                completeTotals[component.index()])
                        : LatencySummary.EMPTY,
                ExecutorSnapshot.byFirstTask(counted.stream().map(executor -> counts(executor, now))));
    }

    private static ExecutorSnapshot counts(Executor executor, long now) {
        ExecutorCounters counters = executor.counters();
        long busy = busyNanos(executor, now);
        return new ExecutorSnapshot(
                executor.plan().taskIds()[0],
                counters.total(ExecutorCounter.EMITTED),
                counters.total(ExecutorCounter.TRANSFERRED),
                counters.getAcquire(ExecutorCounter.EXECUTED),
                counters.total(ExecutorCounter.ACKED),
                counters.total(ExecutorCounter.FAILED),
                busy,
                waitNanos(executor, busy),
                streamsOf(executor));
    }

    /**
     * Returns the time that an executor has spent in turns, with the current turn if it has lasted for a while. At the end of a
     * turn the counter is published first. From then on the turn must not be added to it. A turn that waits for room publishes
     * as well, so a reader that sees the counter change looks again.
     */
    private static long busyNanos(Executor executor, long now) {
        long busy = 0;
        long since = now;
        for (int look = 0; look < LOOKS; look++) {
            since = executor.turnThread().since();
            busy = executor.counters().getAcquire(ExecutorCounter.BUSY_NANOS);
            if (since == TurnThread.NO_TURN || now - since <= TurnBudget.SLOW_CALL_NANOS) {
                return busy;
            }
            if (executor.turnThread().since() == since
                    && executor.counters().getAcquire(ExecutorCounter.BUSY_NANOS) == busy) {
                return busy + now - since;
            }
        }
        // Only a turn that waits publishes again and again: it is still under way.
        return busy + now - since;
    }

    /** Returns the time that calls have waited. A turn in progress is assumed to wait as much as those before. */
    private static long waitNanos(Executor executor, long busy) {
        long waited = executor.counters().getAcquire(ExecutorCounter.WAIT_NANOS);
        long published = executor.counters().getAcquire(ExecutorCounter.BUSY_NANOS);
        return published <= 0 || busy <= published ? waited : (long) ((double) waited / published * busy);
    }

    private static StreamsSnapshot streamsOf(Executor executor) {
        List<OutputSnapshot> outputs = IntStream.range(
                        0, executor.component().outputs().size())
                .mapToObj(executor.emits().outputs()::snapshot)
                .toList();
        InputCounts counts = executor.emits().inputs();
        List<InputSnapshot> inputs = counts == null
                ? List.of()
                : IntStream.range(0, counts.places()).mapToObj(counts::snapshot).toList();
        return new StreamsSnapshot(outputs, inputs);
    }

    private static List<ExecutorSlot> slotsOf(ComponentPlan component, ExecutorRegistry registry) {
        return registry.slots().stream()
                .filter(slot -> slot.executor().component() == component)
                .toList();
    }

    private static long sum(List<Executor> executors, ExecutorCounter counter) {
        return executors.stream()
                .mapToLong(executor -> executor.counters().total(counter))
                .sum();
    }

    private static LatencySummary summarize(
            List<Executor> executors, Function<Executor, LatencyRecorder> latency, LatencyTotal total) {
        List<Executor> gone = executors.stream().filter(Executor::isRetired).toList();
        LatencySummary summary = total.drain(executors.stream().map(latency).toList());
        gone.forEach(executor -> latency.apply(executor).release());
        return summary;
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
        String to = subscription.targetComponentId();
        return new EdgeSnapshot(from.id(), stream.streamId(), to, isCongested(to));
    }

    private boolean isCongested(String component) {
        ComponentPlan plan = assembly.shared().plan().component(component);
        return slotsOf(plan, assembly.registry().get()).stream().anyMatch(ExecutorSlot::isCongested);
    }

    /** Returns whether nothing is in flight in this worker. */
    public boolean isIdle() {
        ExecutorRegistry registry = assembly.registry().get();
        return isExecuted()
                && sum(registry.counted(), ExecutorCounter.IN_FLIGHT) == 0
                && registry == assembly.registry().get();
    }

    /**
     * Returns whether every tuple in this worker is executed. A tuple counts as transferred before it can count as executed. So
     * if the number executed, read first, equals the number transferred, read later, then all tuples ever sent had been
     * executed in between. Tuples from other workers count as transferred here, and tuples sent to other workers as executed.
     */
    public boolean isExecuted() {
        ExecutorRegistry registry = assembly.registry().get();
        List<Executor> counted = registry.counted();
        if (!assembly.shared().lifecycle().isActive() && sum(counted, ExecutorCounter.ASKED) > 0) {
            // A spout has not been deactivated yet and may be about to emit.
            return false;
        }
        long executed =
                sum(counted, ExecutorCounter.EXECUTED) + assembly.remote().tuplesSent();
        long sent = sum(counted, ExecutorCounter.TRANSFERRED)
                + sum(counted, ExecutorCounter.TICKS)
                + assembly.remote().tuplesReceived();
        return executed == sent && registry == assembly.registry().get();
    }
}
