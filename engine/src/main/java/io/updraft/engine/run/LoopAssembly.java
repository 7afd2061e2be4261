package io.updraft.engine.run;

import io.updraft.engine.api.EngineOptions;
import io.updraft.engine.api.WorkerOptions;
import io.updraft.engine.failure.KeptDeadLetters;
import io.updraft.engine.grouping.KeySamplers;
import io.updraft.engine.mesh.SpscRing;
import io.updraft.engine.plan.EngineSettings;
import io.updraft.engine.plan.ExecutorPlan;
import io.updraft.engine.plan.Plan;
import io.updraft.engine.snapshot.DeadLetter;
import io.updraft.engine.snapshot.ErrorReport;
import io.updraft.engine.snapshot.MoveLog;
import io.updraft.engine.tuple.Batch;
import io.updraft.engine.tuple.EdgeOrigins;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * The loops of a topology with their executors and lanes connected, not yet running.
 *
 * @param shared the objects shared by all loops and executors
 * @param loops the loops
 * @param registry the executors that this worker runs; replaced while all loops stand still, read by any thread
 * @param remote the lanes to and from the other workers
 */
record LoopAssembly(
        TopologyServices shared,
        List<EventLoop> loops,
        AtomicReference<ExecutorRegistry> registry,
        RemoteLanes remote) {

    /**
     * The executors of this worker at one moment.
     *
     * @param slots the slots of the current executors
     * @param all the slots of the current executors, and of the former ones, whose counters still count
     * @param executors the number of executors so far, which is the number of the next one
     */
    public record ExecutorRegistry(List<ExecutorSlot> slots, List<ExecutorSlot> all, int executors) {

        /** Returns the executors whose counters count. */
        public List<Executor> counted() {
            return all.stream().map(ExecutorSlot::executor).toList();
        }
    }

    /** Returns the executors of the current slots. */
    public List<Executor> executors() {
        return slots().stream().map(ExecutorSlot::executor).toList();
    }

    /** Returns the current slots, initially in the order of the plan. */
    public List<ExecutorSlot> slots() {
        return registry.get().slots();
    }

    public static LoopAssembly of(
            Plan plan,
            EngineSettings settings,
            EngineOptions options,
            WorkerOptions self,
            Consumer<DeadLetter> deadLetters,
            LoopRuntime runtime,
            TopologyLifecycle lifecycle,
            Consumer<ErrorReport> onDeath) {
        TopologyServices shared = new TopologyServices(
                plan,
                settings,
                options.contexts(),
                options.clock(),
                options.seed(),
                new BackPressure(Regions.of(plan), self.wakeGateway()),
                lifecycle,
                new ErrorLog(options.clock(), options.onError()),
                new TaskOverload(plan.taskToExecutor().length),
                deadLetters,
                new KeptDeadLetters(settings.keptDeadLetters(), plan.workers(), self),
                new KeySamplers(options.clock()),
                new MoveLog(),
                new EdgeOrigins(),
                self);
        List<EventLoop> loops = new ArrayList<>();
        for (int i = 0; i < plan.loops(); i++) {
            loops.add(new EventLoop(i, shared, runtime));
        }
        RemoteLanes remote =
                new RemoteLanes(shared, loops.stream().map(EventLoop::bell).toList(), runtime.remoteRing());
        join(loops, remote);
        List<ExecutorSlot> slots = assign(shared, loops, runtime, onDeath);
        ExecutorRegistry registry =
                new ExecutorRegistry(slots, slots, plan.executors().size());
        return new LoopAssembly(shared, List.copyOf(loops), new AtomicReference<>(registry), remote);
    }

    /** Replaces the slots of some executors, while all loops stand still. */
    public void replace(List<ExecutorSlot> old, List<ExecutorSlot> next) {
        ExecutorRegistry now = registry.get();
        List<ExecutorSlot> slots = new ArrayList<>(now.slots);
        slots.removeAll(old);
        slots.addAll(next);
        List<ExecutorSlot> all = new ArrayList<>(now.all);
        all.addAll(next);
        registry.set(new ExecutorRegistry(List.copyOf(slots), List.copyOf(all), now.executors + next.size()));
    }

    private static void join(List<EventLoop> loops, RemoteLanes remote) {
        int count = loops.size();
        OutboundLane[][] lanes = new OutboundLane[count][count + remote.workers()];
        for (int from = 0; from < count; from++) {
            for (int to = 0; to < count; to++) {
                lanes[from][to] = from == to ? null : new OutboundLane(loops.get(to));
            }
            for (int worker = 0; worker < remote.workers(); worker++) {
                lanes[from][count + worker] = remote.newLane(from, worker);
            }
        }
        for (int i = 0; i < count; i++) {
            List<SpscRing<Batch>> inbound = new ArrayList<>();
            for (int from = 0; from < count; from++) {
                if (from != i) {
                    inbound.add(lanes[from][i].ring());
                }
            }
            if (remote.workers() > 1) {
                inbound.add(remote.inward(i));
            }
            loops.get(i).connect(lanes[i], inbound, () -> loops.forEach(EventLoop::ring));
        }
    }

    private static List<ExecutorSlot> assign(
            TopologyServices shared, List<EventLoop> loops, LoopRuntime runtime, Consumer<ErrorReport> onDeath) {
        List<ExecutorSlot> slots = new ArrayList<>();
        for (ExecutorPlan plan : shared.plan().executors()) {
            if (plan.worker() != shared.self().worker()) {
                loops.forEach(loop -> loop.routes().put(plan, null, loops.size() + plan.worker()));
                shared.overload().place(plan.taskIds(), loops.size() + plan.worker());
                String component =
                        shared.plan().components().get(plan.componentIndex()).id();
                shared.origins().add(component, shared.edgeSeeds(plan.worker(), plan.index()));
                continue;
            }
            boolean spout =
                    shared.plan().components().get(plan.componentIndex()).spout();
            Executor executor = spout
                    ? new SpoutExecutor(shared, plan, runtime, onDeath)
                    : new BoltExecutor(shared, plan, runtime, onDeath);
            ExecutorSlot slot = new ExecutorSlot(executor, shared);
            EventLoop home = loops.get(plan.loop());
            home.slots().add(slot);
            home.slots().startTicks(slot);
            loops.forEach(loop -> loop.setRoute(slot, home));
            shared.overload().place(plan.taskIds(), home.index());
            slots.add(slot);
        }
        return List.copyOf(slots);
    }

    /** Delivers all batches that are under way between loops. Call this only while no loop runs. */
    public void settle() {
        boolean moved;
        do {
            moved = false;
            for (EventLoop loop : loops) {
                moved |= loop.settle();
            }
        } while (moved);
    }

    /**
     * Moves an executor to another loop, with all tuples that are under way to it. Call this only while no loop runs.
     *
     * @return false when the executor cannot be moved now, because batches of its loop are still on their way to another
     *     worker. Tuples sent by the lanes of the other loop could overtake them
     */
    public boolean move(ExecutorSlot slot, EventLoop to) {
        Executor executor = slot.executor();
        EventLoop from = slot.loop();
        // The lock ensures that no user thread is between reading the executor's home and posting to it.
        synchronized (executor.emits().lock()) {
            settle();
            if (!from.routes().hasLeft()) {
                return false;
            }
            from.slots().move(slot, to.slots());
            loops.forEach(loop -> loop.setRoute(slot, to));
            shared.overload().place(executor.plan().taskIds(), to.index());
        }
        to.slots().refresh();
        return true;
    }
}
