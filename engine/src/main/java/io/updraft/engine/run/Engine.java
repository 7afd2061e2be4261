package io.updraft.engine.run;

import io.updraft.engine.api.EngineOptions;
import io.updraft.engine.api.MemoryWatch;
import io.updraft.engine.api.TopologyEngine;
import io.updraft.engine.api.WorkerOptions;
import io.updraft.engine.failure.DeadLetterFile;
import io.updraft.engine.failure.KeptDeadLetters;
import io.updraft.engine.mesh.RemoteWorkers;
import io.updraft.engine.plan.Assignment;
import io.updraft.engine.plan.ComponentPlan;
import io.updraft.engine.plan.EngineSettings;
import io.updraft.engine.plan.Plan;
import io.updraft.engine.plan.Planner;
import io.updraft.engine.snapshot.CallInProgress;
import io.updraft.engine.snapshot.CallReminders;
import io.updraft.engine.snapshot.DeadLetter;
import io.updraft.engine.snapshot.EngineSnapshot;
import io.updraft.engine.snapshot.ErrorReport;
import io.updraft.engine.snapshot.RunningCode;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.storm.generated.StormTopology;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One running topology in this JVM, or one worker's part of it.
 *
 * <p>All methods may be called from any thread except the threads of the engine.
 */
public final class Engine implements TopologyEngine {

    private static final Logger LOG = LoggerFactory.getLogger(Engine.class);

    private static final long BALANCE_NANOS = 1_000_000_000;

    /** Time between two looks for calls that do not return. */
    private static final long WATCH_MILLIS = 1000;

    private static final long MOVE_NANOS = 5_000_000;
    private static final long LOOK_MILLIS = 1;
    private static final long END_MILLIS = 10_000;
    private static final long GRACE_MILLIS = 1_000;

    private final TopologyLifecycle lifecycle = new TopologyLifecycle();
    private final LoopThreads threads = new LoopThreads(lifecycle, this::failed);
    private final AtomicReference<ErrorReport> death = new AtomicReference<>();
    private final Object regrouping = new Object();
    private final AtomicBoolean closing = new AtomicBoolean();
    private volatile Plan plan;
    private final EngineOptions options;
    private final Consumer<DeadLetter> deadLetters;
    private final LoopAssembly assembly;
    private final SnapshotReader snapshots;
    private final EngineMemory memory;

    private Engine(Plan plan, EngineSettings settings, EngineOptions options, WorkerOptions self) {
        this.plan = plan;
        this.options = options;
        this.deadLetters =
                settings.deadLetterFile() == null ? letter -> {} : new DeadLetterFile(settings.deadLetterFile());
        this.assembly = LoopAssembly.of(plan, settings, options, self, deadLetters, threads, lifecycle, this::die);
        this.snapshots = new SnapshotReader(assembly);
        this.memory = new EngineMemory(plan.name(), assembly);
        MemoryWatch.add(memory);
        threads.start(assembly.loops());
        new EngineThread(this::watchCalls, "updraft-calls", null).start();
        if (settings.rebalance() && assembly.loops().size() > 1) {
            new EngineThread(this::balance, "updraft-balancer", null).start();
        }
    }

    /**
     * Plans the topology and starts it, spouts inactive. Components are opened and prepared at the first activation, as in
     * Storm. User classes are loaded with the calling thread's context class loader.
     *
     * @param topology the topology to run
     * @param conf the whole configuration, with Storm's defaults if components are to see them
     * @param options the options of the caller
     * @return the running engine
     * @throws io.updraft.engine.plan.InvalidTopology when the topology cannot be planned; nothing was started
     */
    public static Engine start(StormTopology topology, Map<String, Object> conf, EngineOptions options) {
        EngineSettings settings = EngineSettings.of(conf);
        Plan plan = Planner.plan(options.name(), options.id(), topology, conf, settings);
        return new Engine(plan, settings, options, WorkerOptions.ALONE);
    }

    /**
     * Plans the topology for several workers and starts the part of one worker, as {@link #start} starts the whole topology.
     * Tuples for other workers wait until the caller polls them; see {@link #remote}.
     *
     * @param topology the topology to run; the same for all workers
     * @param conf the whole configuration; the same for all workers
     * @param options the options of the caller
     * @param assignment which worker runs which executor; the same for all workers
     * @param self the number and incarnation of this worker
     * @return the running engine
     * @throws io.updraft.engine.plan.InvalidTopology when the topology cannot be planned; nothing was started
     * @throws IllegalArgumentException when the topology has no such worker
     */
    public static Engine startWorker(
            StormTopology topology,
            Map<String, Object> conf,
            EngineOptions options,
            Assignment assignment,
            WorkerOptions self) {
        if (self.worker() >= assignment.workers()) {
            throw new IllegalArgumentException("there is no worker " + self.worker() + " of topology '" + options.name()
                    + "': the topology has " + assignment.workers() + " workers, numbered from 0");
        }
        EngineSettings settings = EngineSettings.of(conf);
        Plan plan = Planner.plan(options.name(), options.id(), topology, conf, settings, assignment);
        return new Engine(plan, settings, options, self);
    }

    /** Ends the topology after a failure of the engine's own code, which user code cannot cause and nothing can mend. */
    private void failed(Throwable error) {
        lifecycle.die();
        MemoryWatch.threadFailed(Thread.currentThread(), error);
        LOG.error(
                "topology '{}': thread '{}' has failed",
                plan.name(),
                Thread.currentThread().getName(),
                error);
        die(new ErrorReport(
                System.currentTimeMillis(),
                ErrorReport.ENGINE,
                ErrorReport.NO_TASK,
                Thread.currentThread().getName(),
                error,
                "the topology ends"));
    }

    private void die(ErrorReport report) {
        if (death.compareAndSet(null, report)) {
            // Not on this thread, because closing the topology waits for this thread.
            new EngineThread(() -> options.onDeath().accept(report), "updraft-death", null).start();
        }
    }

    /** Logs calls that do not return, until the topology stops. */
    private void watchCalls() {
        CallReminders reminders = new CallReminders();
        try {
            while (!lifecycle.isStopping()) {
                Thread.sleep(WATCH_MILLIS);
                reminders.due(snapshots.stuckCalls(), System.nanoTime()).forEach(this::warnOf);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void warnOf(CallInProgress call) {
        new RunningTask(call.component(), call.task())
                .log(() -> LOG.warn(
                        "topology '{}': stuck: {}\n\tat {}",
                        plan.name(),
                        call.describe(),
                        String.join("\n\tat ", call.stack())));
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
            int from = move.slot().loop().index();
            threads.whilePaused(() -> moved.set(move(move)));
            Executor executor = move.slot().executor();
            if (moved.get()) {
                ExecutorMoves.betweenLoops(executor, from, move.to().index(), move.reason());
            }
            RunningTask first =
                    new RunningTask(executor.component().id(), executor.plan().taskIds()[0]);
            first.log(() -> LOG.info(
                    "component '{}', task {}: {} to loop {}: {}",
                    first.component(),
                    first.task(),
                    moved.get() ? "moved" : "could not be moved",
                    move.to().index(),
                    move.reason()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public boolean rebalance(Map<String, Integer> executors, Duration limit) throws InterruptedException {
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
            ExecutorMoves.rebalanced(assembly.shared(), plan, next, changed);
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
    public RemoteWorkers remote() {
        return assembly.remote();
    }

    @Override
    public Plan plan() {
        return plan;
    }

    @Override
    public void activate() {
        lifecycle.activate();
        ringAll();
    }

    @Override
    public void deactivate() {
        lifecycle.deactivate();
        ringAll();
    }

    private void ringAll() {
        assembly.slots().forEach(slot -> slot.executor().connection().ring());
        assembly.loops().forEach(EventLoop::ring);
    }

    @Override
    public boolean isActive() {
        return lifecycle.isActive();
    }

    @Override
    public boolean awaitIdle(Duration limit) throws InterruptedException {
        return await(limit, snapshots::isIdle);
    }

    @Override
    public boolean awaitExecuted(Duration limit) throws InterruptedException {
        return await(limit, snapshots::isExecuted);
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
    public List<DeadLetter> deadLetters() {
        return assembly.shared().kept().letters();
    }

    @Override
    public List<Long> replay(Collection<Long> numbers) {
        return replayed(letters -> letters.request(numbers));
    }

    @Override
    public List<Long> replayAll() {
        return replayed(KeptDeadLetters::requestAll);
    }

    private List<Long> replayed(Function<KeptDeadLetters, List<Long>> order) {
        if (!lifecycle.isActive()) {
            throw new IllegalStateException("topology '" + plan.name() + "' "
                    + (lifecycle.isDead() ? "has died" : "is inactive: its spouts do not emit"));
        }
        List<Long> ordered = order.apply(assembly.shared().kept());
        ringAll();
        return ordered;
    }

    @Override
    public EngineSnapshot snapshot() {
        return snapshots.read();
    }

    @Override
    public ErrorReport death() {
        return death.get();
    }

    @Override
    public Map<Thread, RunningCode> codeOf(Map<Thread, StackTraceElement[]> stacks) {
        return memory.codeOf(stacks);
    }

    @Override
    public Map<String, Set<String>> componentClasses() {
        return new ComponentThreads(
                        assembly.executors(), assembly.shared().clock().nanoTime())
                .classes();
    }

    @Override
    public boolean exitCalled(Thread thread, StackTraceElement[] stack) {
        List<Executor> executors = assembly.executors();
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
    public void close() {
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
        MemoryWatch.remove(memory);
        if (deadLetters instanceof DeadLetterFile file) {
            file.close();
        }
    }
}
