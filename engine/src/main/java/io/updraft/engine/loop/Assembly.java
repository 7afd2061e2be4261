package io.updraft.engine.loop;

import io.updraft.engine.api.EngineOptions;
import io.updraft.engine.api.ErrorReport;
import io.updraft.engine.api.WorkerOptions;
import io.updraft.engine.mesh.Batch;
import io.updraft.engine.mesh.SpscRing;
import io.updraft.engine.plan.ExecutorPlan;
import io.updraft.engine.plan.Plan;
import io.updraft.engine.plan.Regions;
import io.updraft.engine.plan.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The loops of a topology with their executors and lanes connected, not yet running.
 *
 * @param shared the objects shared by all loops and executors
 * @param loops the loops
 * @param roster the slots, one for each executor that this worker runs
 * @param remote the lanes to and from the other workers
 */
record Assembly(Shared shared, List<EventLoop> loops, Roster roster, RemoteLanes remote) {

    /** Returns the current slots, initially in the order of the plan. */
    List<Seat> slots() {
        return roster.now().slots();
    }

    /** Assembles the embedded engine. */
    static Assembly of(
            Plan plan,
            Settings settings,
            EngineOptions options,
            DeadLetters deadLetters,
            Host host,
            Lifecycle lifecycle,
            Consumer<ErrorReport> onDeath) {
        return of(plan, settings, options, WorkerOptions.ALONE, deadLetters, host, lifecycle, onDeath);
    }

    static Assembly of(
            Plan plan,
            Settings settings,
            EngineOptions options,
            WorkerOptions self,
            DeadLetters deadLetters,
            Host host,
            Lifecycle lifecycle,
            Consumer<ErrorReport> onDeath) {
        Shared shared = new Shared(
                plan,
                settings,
                options.contexts(),
                options.clock(),
                options.seed(),
                new Pressure(Regions.of(plan), self.wakeGateway()),
                lifecycle,
                new ErrorLog(options.clock(), options.onError()),
                new Overload(plan.taskToExecutor().length),
                deadLetters,
                self);
        List<EventLoop> loops = new ArrayList<>();
        for (int i = 0; i < plan.loops(); i++) {
            loops.add(new EventLoop(i, shared, host));
        }
        RemoteLanes remote =
                new RemoteLanes(shared, loops.stream().map(EventLoop::bell).toList(), host.remoteRing());
        join(loops, remote);
        Roster roster = new Roster();
        roster.begin(assign(shared, loops, host, onDeath), plan.executors().size());
        return new Assembly(shared, List.copyOf(loops), roster, remote);
    }

    private static void join(List<EventLoop> loops, RemoteLanes remote) {
        int count = loops.size();
        Lane[][] lanes = new Lane[count][count + remote.workers()];
        for (int from = 0; from < count; from++) {
            for (int to = 0; to < count; to++) {
                lanes[from][to] = from == to ? null : new Lane(loops.get(to));
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

    private static List<Seat> assign(Shared shared, List<EventLoop> loops, Host host, Consumer<ErrorReport> onDeath) {
        List<Seat> slots = new ArrayList<>();
        for (ExecutorPlan plan : shared.plan().executors()) {
            if (plan.worker() != shared.self().worker()) {
                loops.forEach(loop -> loop.routes().learnRemote(plan));
                shared.overload().place(plan.taskIds(), loops.size() + plan.worker());
                continue;
            }
            boolean spout =
                    shared.plan().components().get(plan.componentIndex()).spout();
            Executor executor = spout
                    ? new SpoutExecutor(shared, plan, host, onDeath)
                    : new BoltExecutor(shared, plan, host, onDeath);
            Seat slot = new Seat(executor, shared);
            EventLoop home = loops.get(plan.loop());
            home.slots().add(slot);
            home.slots().startTicks(slot);
            loops.forEach(loop -> loop.learn(slot, home));
            shared.overload().place(plan.taskIds(), home.index());
            slots.add(slot);
        }
        return List.copyOf(slots);
    }

    /** Delivers all batches that are under way between loops. Call this only while no loop runs. */
    void settle() {
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
    boolean move(Seat slot, EventLoop to) {
        Executor executor = slot.executor();
        EventLoop from = slot.loop();
        // The lock ensures that no user thread is between reading the executor's home and posting to it.
        synchronized (executor.emits().outside().lock()) {
            settle();
            if (!from.routes().hasLeft()) {
                return false;
            }
            from.slots().move(slot, to.slots());
            loops.forEach(loop -> loop.learn(slot, to));
            shared.overload().place(executor.plan().taskIds(), to.index());
        }
        to.slots().refresh();
        return true;
    }
}
