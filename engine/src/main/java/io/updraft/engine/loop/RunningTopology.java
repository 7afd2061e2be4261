package io.updraft.engine.loop;

import io.updraft.engine.api.EngineOptions;
import io.updraft.engine.api.ErrorReport;
import io.updraft.engine.api.RemoteWorkers;
import io.updraft.engine.api.WorkerOptions;
import io.updraft.engine.metrics.EngineSnapshot;
import io.updraft.engine.plan.ComponentPlan;
import io.updraft.engine.plan.Plan;
import io.updraft.engine.plan.Planner;
import io.updraft.engine.plan.Settings;
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
public final class RunningTopology implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(RunningTopology.class);

    private static final long BALANCE_NANOS = 1_000_000_000;
    private static final long MOVE_NANOS = 5_000_000;
    private static final long LOOK_MILLIS = 1;
    private static final long END_MILLIS = 10_000;
    private static final long GRACE_MILLIS = 1_000;

    private final Lifecycle lifecycle = new Lifecycle();
    private final Threads threads = new Threads(lifecycle);
    private final AtomicReference<ErrorReport> death = new AtomicReference<>();
    private final Object regrouping = new Object();
    private final AtomicBoolean closing = new AtomicBoolean();
    private volatile Plan plan;
    private final Settings settings;
    private final EngineOptions options;
    private final DeadLetters deadLetters;
    private final Assembly assembly;
    private final View view;

    /**
     * Starts a topology, inactive.
     *
     * @param plan the topology
     * @param settings its configuration
     * @param options the options of the caller
     * @param self which worker of the topology this is
     */
    public RunningTopology(Plan plan, Settings settings, EngineOptions options, WorkerOptions self) {
        this.plan = plan;
        this.settings = settings;
        this.options = options;
        this.deadLetters =
                settings.deadLetterFile() == null ? DeadLetters.NONE : new DeadLetterFile(settings.deadLetterFile());
        this.assembly = Assembly.of(plan, settings, options, self, deadLetters, threads, lifecycle, this::die);
        this.view = new View(assembly);
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
        Balancer balancer = new Balancer(assembly);
        long before = System.nanoTime();
        try {
            while (!lifecycle.isStopping()) {
                Thread.sleep(BALANCE_NANOS / 1_000_000);
                long now = System.nanoTime();
                balancer.look(now - before).ifPresent(this::carryOut);
                before = now;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void carryOut(Balancer.Move move) {
        try {
            AtomicBoolean moved = new AtomicBoolean();
            threads.whileStanding(() -> moved.set(move(move)));
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

    /**
     * Changes the numbers of executors of some components. One change at a time.
     *
     * @param executors the numbers by component, at least 1 each; a component gets at most as many executors as it has tasks
     * @param limit how long to wait for messages in flight of changed spouts before they fail
     * @return false when user code did not return in time; then nothing has changed, except that messages may have failed
     * @throws io.updraft.engine.plan.InvalidTopology when there is no such component or the number is not allowed
     * @throws InterruptedException when the calling thread is interrupted
     */
    public boolean rebalance(Map<String, Integer> executors, Duration limit) throws InterruptedException {
        synchronized (regrouping) {
            Plan next = Planner.replan(plan, executors);
            Set<String> changed = next.components().stream()
                    .filter(component -> component.executors().length
                            != plan.component(component.id()).executors().length)
                    .map(ComponentPlan::id)
                    .collect(Collectors.toSet());
            if (!changed.isEmpty() && !new Regroup(assembly, next, changed).carryOut(threads, limit)) {
                return false;
            }
            plan = next;
            return true;
        }
    }

    /** Moves an executor. Gives the gateway some time to take batches that are on their way to other workers; see Assembly. */
    private boolean move(Balancer.Move move) {
        long deadline = System.nanoTime() + MOVE_NANOS;
        boolean moved = false;
        while (!moved
                && assembly.slots().contains(move.slot())
                && !move.slot().isApart()
                && System.nanoTime() - deadline < 0) {
            moved = assembly.move(move.slot(), move.to());
            if (!moved) {
                LockSupport.parkNanos(MOVE_NANOS / 100);
            }
        }
        return moved;
    }

    /** {@return the other workers} */
    public RemoteWorkers remote() {
        return assembly.remote();
    }

    /** {@return the plan that the engine runs} */
    public Plan plan() {
        return plan;
    }

    /** Activates the spouts. */
    public void activate() {
        lifecycle.activate();
        ringAll();
    }

    /** Deactivates the spouts. */
    public void deactivate() {
        lifecycle.deactivate();
        ringAll();
    }

    private void ringAll() {
        assembly.slots().forEach(slot -> slot.executor().connection().ring());
        assembly.loops().forEach(EventLoop::ring);
    }

    /** {@return whether the spouts are active} */
    public boolean isActive() {
        return lifecycle.isActive();
    }

    /**
     * Waits until nothing is in flight. Returns early when the topology has ended, because nothing moves any more then.
     *
     * @param limit the longest time to wait
     * @return whether the condition was true in time
     * @throws InterruptedException when the calling thread is interrupted
     */
    public boolean awaitIdle(Duration limit) throws InterruptedException {
        return await(limit, view::isIdle);
    }

    /**
     * Waits until every tuple is executed. Returns early when the topology has ended.
     *
     * @param limit the longest time to wait
     * @return whether the condition was true in time
     * @throws InterruptedException when the calling thread is interrupted
     */
    public boolean awaitExecuted(Duration limit) throws InterruptedException {
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

    /** {@return the state of the topology now} */
    public EngineSnapshot snapshot() {
        return view.take();
    }

    /** {@return the failure that ended the topology, or null} */
    public ErrorReport death() {
        return death.get();
    }

    /**
     * Reports that a thread has called {@code System.exit} and never returns from that call. If the thread runs code of a
     * component, the topology ends with that failure.
     *
     * @param thread the thread
     * @param stack the stack of the thread
     * @return whether the code belongs to a component
     */
    public boolean exitCalled(Thread thread, StackTraceElement[] stack) {
        List<Executor> executors = assembly.slots().stream().map(Seat::executor).toList();
        if (!new ExitingThread(thread, stack).blame(executors)) {
            return false;
        }
        threads.giveUp(thread);
        return true;
    }

    private void leaveBehind(Thread thread) {
        Optional<Executor> inTurn = assembly.slots().stream()
                .map(Seat::executor)
                .filter(executor -> executor.turnThread().isTurnOf(thread))
                .findFirst();
        inTurn.ifPresentOrElse(
                executor -> new ExitingThread(thread, thread.getStackTrace()).leaveBehind(executor),
                () -> LOG.warn(
                        "topology '{}': thread '{}' did not end and is abandoned", plan.name(), thread.getName()));
    }

    /**
     * Stops and closes all components. A call that does not return is reported as an error, and its thread is abandoned.
     * Idempotent.
     */
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
        if (deadLetters instanceof DeadLetterFile file) {
            file.close();
        }
    }
}
