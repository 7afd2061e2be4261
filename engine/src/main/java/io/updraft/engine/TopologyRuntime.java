package io.updraft.engine;

import io.updraft.engine.api.EngineOptions;
import io.updraft.engine.api.ErrorReport;
import io.updraft.engine.api.RemoteWorkers;
import io.updraft.engine.api.WorkerOptions;
import io.updraft.engine.executor.Executor;
import io.updraft.engine.failure.DeadLetterFile;
import io.updraft.engine.failure.DeadLetterReceiver;
import io.updraft.engine.loop.EventLoop;
import io.updraft.engine.loop.ExecutorSlot;
import io.updraft.engine.loop.LoopAssembly;
import io.updraft.engine.metrics.EngineSnapshot;
import io.updraft.engine.plan.ComponentPlan;
import io.updraft.engine.plan.EngineSettings;
import io.updraft.engine.plan.Plan;
import io.updraft.engine.plan.Planner;
import io.updraft.engine.rebalance.ExecutorRebalance;
import io.updraft.engine.rebalance.LoopBalancer;
import io.updraft.engine.state.TopologyLifecycle;
import io.updraft.engine.thread.LoopThreads;
import io.updraft.engine.topology.ExitingThread;
import io.updraft.engine.topology.SnapshotReader;
import io.updraft.engine.turn.EngineThread;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A topology on its threads. All methods may be called from any thread except the threads of the engine. */
public class TopologyRuntime implements TopologyEngine {

    private static final Logger LOG = LoggerFactory.getLogger(TopologyRuntime.class);

    private static final long BALANCE_NANOS = 1_000_000_000;
    private static final long MOVE_NANOS = 5_000_000;
    private static final long LOOK_MILLIS = 1;
    private static final long END_MILLIS = 10_000;
    private static final long GRACE_MILLIS = 1_000;

    private final TopologyLifecycle lifecycle = new TopologyLifecycle();
    private final LoopThreads threads = new LoopThreads(lifecycle);
    private final AtomicReference<ErrorReport> death = new AtomicReference<>();
    private final Object regrouping = new Object();
    private final AtomicBoolean closing = new AtomicBoolean();
    private volatile Plan plan;
    private final EngineSettings settings;
    private final EngineOptions options;
    private final DeadLetterReceiver deadLetters;
    private final LoopAssembly assembly;
    private final SnapshotReader view;

    /**
     * Starts a topology, inactive.
     *
     * @param plan the topology
     * @param settings its configuration
     * @param options the options of the caller
     * @param self which worker of the topology this is
     */
    protected TopologyRuntime(Plan plan, EngineSettings settings, EngineOptions options, WorkerOptions self) {
        this.plan = plan;
        this.settings = settings;
        this.options = options;
        this.deadLetters = settings.deadLetterFile() == null
                ? DeadLetterReceiver.NONE
                : new DeadLetterFile(settings.deadLetterFile());
        this.assembly = LoopAssembly.of(plan, settings, options, self, deadLetters, threads, lifecycle, this::die);
        this.view = new SnapshotReader(assembly);
        threads.start(assembly.loops());
        if (settings.rebalance() && assembly.loops().size() > 1) {
            startBalancing();
        }
    }

    private void die(ErrorReport report) {
        if (death.compareAndSet(null, report)) {
            // Not on this thread, because closing the topology waits for this thread.
            new EngineThread(() -> options.onDeath().accept(report), "updraft-death", null).start();
        }
    }

    private void startBalancing() {
        new EngineThread(this::balance, "updraft-balancer", null).start();
    }

    private void balance() {
        LoopBalancer balancer = new LoopBalancer(assembly);
        long before = System.nanoTime();
        try {
            while (!lifecycle.isStopping()) {
                Thread.sleep(BALANCE_NANOS / 1_000_000);
                long now = System.nanoTime();
                balancer.evaluate(now - before).ifPresent(this::carryOut);
                before = now;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void carryOut(LoopBalancer.Move move) {
        try {
            AtomicBoolean moved = new AtomicBoolean();
            threads.whilePaused(() -> moved.set(move(move)));
            boolean done = moved.get();
            Executor executor = move.slot().executor();
            LOG.info(
                    "component '{}', task {}: {} to loop {}",
                    executor.component().id(),
                    executor.plan().taskIds()[0],
                    done ? "moved" : "could not be moved",
                    move.to().index());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public final boolean rebalance(Map<String, Integer> executors, Duration limit) throws InterruptedException {
        synchronized (regrouping) {
            Plan next = Planner.replan(plan, executors);
            Set<String> changed = next.components().stream()
                    .filter(component -> component.executors().length
                            != plan.component(component.id()).executors().length)
                    .map(ComponentPlan::id)
                    .collect(Collectors.toSet());
            if (!changed.isEmpty() && !new ExecutorRebalance(assembly, next, changed).carryOut(threads, limit)) {
                return false;
            }
            plan = next;
            return true;
        }
    }

    /** Moves an executor. Gives the gateway some time to take batches that are on their way to other workers; see Assembly. */
    private boolean move(LoopBalancer.Move move) {
        long deadline = System.nanoTime() + MOVE_NANOS;
        boolean moved = false;
        while (!moved
                && assembly.slots().contains(move.slot())
                && !move.slot().isDetached()
                && System.nanoTime() - deadline < 0) {
            moved = assembly.move(move.slot(), move.to());
            if (!moved) {
                LockSupport.parkNanos(MOVE_NANOS / 100);
            }
        }
        return moved;
    }

    /** {@return the connections to the other workers, for the gateway thread that exchanges batches with them} */
    public final RemoteWorkers remote() {
        return assembly.remote();
    }

    @Override
    public final Plan plan() {
        return plan;
    }

    @Override
    public final void activate() {
        lifecycle.activate();
        ringAll();
    }

    @Override
    public final void deactivate() {
        lifecycle.deactivate();
        ringAll();
    }

    private void ringAll() {
        assembly.slots().forEach(slot -> slot.executor().connection().ring());
        assembly.loops().forEach(EventLoop::ring);
    }

    @Override
    public final boolean isActive() {
        return lifecycle.isActive();
    }

    @Override
    public final boolean awaitIdle(Duration limit) throws InterruptedException {
        return await(limit, view::isIdle);
    }

    @Override
    public final boolean awaitExecuted(Duration limit) throws InterruptedException {
        return await(limit, view::isExecuted);
    }

    private boolean await(Duration limit, BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0 || lifecycle.isStopping() || lifecycle.isDead()) {
                return false;
            }
            Thread.sleep(LOOK_MILLIS);
        }
        return true;
    }

    @Override
    public final EngineSnapshot snapshot() {
        return view.read();
    }

    @Override
    public final ErrorReport death() {
        return death.get();
    }

    @Override
    public final boolean exitCalled(Thread thread, StackTraceElement[] stack) {
        List<Executor> executors =
                assembly.slots().stream().map(ExecutorSlot::executor).toList();
        if (!new ExitingThread(thread, stack).blame(executors)) {
            return false;
        }
        threads.abandon(thread);
        return true;
    }

    private void leaveBehind(Thread thread) {
        Optional<Executor> inTurn = assembly.slots().stream()
                .map(ExecutorSlot::executor)
                .filter(executor -> executor.turnThread().isTurnOf(thread))
                .findFirst();
        inTurn.ifPresentOrElse(
                executor -> new ExitingThread(thread, thread.getStackTrace()).leaveBehind(executor),
                () -> LOG.warn(
                        "topology '{}': thread '{}' did not end and is abandoned", plan.name(), thread.getName()));
    }

    @Override
    public final void close() {
        if (!closing.compareAndSet(false, true)) {
            return;
        }
        lifecycle.stop();
        ringAll();
        try {
            threads.awaitEnd(END_MILLIS, GRACE_MILLIS).forEach(this::leaveBehind);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (deadLetters instanceof DeadLetterFile file) {
            file.close();
        }
    }
}
