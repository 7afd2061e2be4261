package io.updraft.cluster.local;

import io.updraft.base.thread.DaemonThreads;
import io.updraft.cluster.codec.ProgramKryoFactory;
import io.updraft.cluster.link.Traffic;
import io.updraft.cluster.local.ControlMessage.AskIdle;
import io.updraft.cluster.local.ControlMessage.AskState;
import io.updraft.cluster.local.ControlMessage.IdleReport;
import io.updraft.cluster.local.ControlMessage.LiveConfig;
import io.updraft.engine.api.EngineOptions;
import io.updraft.engine.api.EngineStarter;
import io.updraft.engine.plan.Plan;
import io.updraft.engine.snapshot.DeadLetter;
import io.updraft.engine.snapshot.EngineSnapshot;
import io.updraft.engine.snapshot.ErrorReport;
import io.updraft.observe.process.WorkerStatus;
import io.updraft.storm.RemoteEngine;
import io.updraft.storm.TopologyChange;
import io.updraft.storm.text.FailureMessages;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.apache.storm.generated.DebugOptions;
import org.apache.storm.generated.LogConfig;

/**
 * Runs a topology in worker processes on this host. {@code topology.workers} is the number of workers. A worker that ends is
 * restarted after a wait, which grows while the worker keeps ending. Tuples in flight fail and can be replayed.
 *
 * <p>All methods may be called from any thread.
 */
public final class LocalWorkers implements RemoteEngine {
    private static final long POLL_MILLIS = 5;
    private static final long SNAPSHOT_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long SWITCHED_NANOS = TimeUnit.SECONDS.toNanos(3);
    private static final long MIN_ANSWER_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final AtomicReference<ErrorReport> death = new AtomicReference<>();
    private final Consumer<ErrorReport> onDeath;
    private final Redeployment redeployment;

    /** Written under this object's monitor. */
    private volatile Deployment current;

    /** Written under this object's monitor; never reset. */
    private volatile boolean closed;

    /** Whether spouts should emit when the topology is not paused. Written under this object's monitor. */
    private volatile boolean active;

    /** Whether spouts must not emit, regardless of {@link #active}. Guarded by this object's monitor. */
    private boolean paused;

    /** Whether there are no workers, or only workers that were never active. */
    private volatile boolean withoutWorkers;

    /** The runtime settings. Guarded by this object's monitor: one change at a time. */
    private LiveConfig switches = LiveConfig.NONE;

    private volatile EngineSnapshot last;

    private LocalWorkers(WorkerLayout layout, EngineOptions options, WorkerSettings settings) {
        onDeath = options.onDeath();
        redeployment = new Redeployment(this, options, settings);
        current = redeployment.first(layout);
    }

    /**
     * Returns a starter for topologies in worker processes.
     *
     * @param settings the settings with which workers are started
     * @return the starter; it throws {@link io.updraft.engine.plan.InvalidTopology} when a worker cannot be started, and leaves
     *     no process and no file behind then
     */
    public static EngineStarter starter(WorkerSettings settings) {
        return (topology, conf, options) -> {
            ProgramKryoFactory.check(conf, FailureMessages::oneLine);
            WorkerLayout layout = WorkerLayout.of(topology, conf, options, settings);
            LocalWorkers workers = new LocalWorkers(layout, options, settings);
            workers.current.start(false);
            return workers;
        };
    }

    @Override
    public Plan plan() {
        return current.layout().plan();
    }

    @Override
    public boolean change(TopologyChange change, Duration limit) throws InterruptedException {
        return redeployment.carryOut(change, limit);
    }

    // ---- called by a redeployment, on its own thread -------------------------------------------------------------

    Deployment current() {
        return current;
    }

    boolean isOver() {
        return closed || death.get() != null;
    }

    synchronized void pause() {
        paused = true;
        current.setActive(false);
    }

    void setWithoutWorkers() {
        withoutWorkers = true;
    }

    /** Replaces a deployment that has ended by another one. {@return false when the topology is over} */
    synchronized boolean replace(Deployment next) {
        if (isOver()) {
            return false;
        }
        Deployment old = current;
        next.keepSettings(switches);
        current = next;
        old.close();
        return true;
    }

    /** Ends the pause: spouts are activated if the topology is active. */
    synchronized void resume() {
        paused = false;
        withoutWorkers = false;
        if (!isOver()) {
            current.setActive(active);
        }
    }

    /** Notes the failure that ends the topology: of a worker's engine, or of a restart. Only the first one counts. */
    void die(ErrorReport report) {
        if (death.compareAndSet(null, report)) {
            // Runs on its own thread: the listener may wait for something that the current thread does.
            DaemonThreads.start("updraft-death", () -> end(report));
        }
    }

    /** The spouts of a topology that has died must not emit, even in workers that have just replaced those that died. */
    private void end(ErrorReport report) {
        synchronized (this) {
            current.setActive(false);
        }
        onDeath.accept(report);
    }

    // ---- called by users -----------------------------------------------------------------------------------------

    @Override
    public synchronized void setDebug(Map<String, DebugOptions> options) {
        setSwitches(new LiveConfig(Map.copyOf(options), switches.levels()));
    }

    @Override
    public synchronized void setLogLevels(LogConfig levels) {
        setSwitches(new LiveConfig(switches.debug(), levels.deepCopy()));
    }

    private void setSwitches(LiveConfig settings) {
        switches = settings;
        if (closed) {
            return;
        }
        try {
            current.setSettings(settings, SWITCHED_NANOS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public synchronized void activate() {
        if (!isOver()) {
            active = true;
            applyActive();
        }
    }

    @Override
    public synchronized void deactivate() {
        active = false;
        if (!closed) {
            applyActive();
        }
    }

    private void applyActive() {
        if (!paused) {
            current.setActive(active);
        }
    }

    @Override
    public boolean isActive() {
        return active && death.get() == null;
    }

    /**
     * {@inheritDoc}
     *
     * <p>All workers are asked twice, in two rounds. The topology is idle if, in both rounds, each worker is idle, everything
     * sent has arrived, and nothing was sent in between. This is the four-counter method of Mattern, "Algorithms for
     * distributed termination detection", 1987.
     */
    @Override
    public boolean awaitIdle(Duration limit) throws InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        Traffic before = null;
        do {
            if (isOver()) {
                return false;
            }
            if (withoutWorkers) {
                return true;
            }
            Traffic now = traffic(Math.max(deadline - System.nanoTime(), MIN_ANSWER_NANOS));
            if (now != null && now.equals(before)) {
                return true;
            }
            before = now;
            if (now == null) {
                Thread.sleep(POLL_MILLIS);
            }
        } while (before != null || System.nanoTime() - deadline < 0);
        return false;
    }

    /** {@return the frames sent between workers, or null if something may be in flight} */
    private Traffic traffic(long limitNanos) throws InterruptedException {
        Deployment deployment = current;
        List<IdleReport> answers = deployment.quiet(deployment.ask(AskIdle::new, limitNanos));
        if (answers == null || !answers.stream().allMatch(IdleReport::idle)) {
            return null;
        }
        long sent = answers.stream().mapToLong(IdleReport::sent).sum();
        long received = answers.stream().mapToLong(IdleReport::received).sum();
        return sent == received ? new Traffic(true, sent, received) : null;
    }

    /** {@return the newest state that the workers have reported; for a worker that does not answer, its last reported state} */
    @Override
    public EngineSnapshot snapshot() {
        if (last != null) {
            return last;
        }
        Deployment deployment = current;
        try {
            deployment.ask(AskState::new, SNAPSHOT_NANOS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        EngineSnapshot latest = last;
        return latest != null ? latest : deployment.snapshot();
    }

    /** {@inheritDoc} Of a worker that has ended or does not answer, these are the letters that it has reported before. */
    @Override
    public List<DeadLetter> deadLetters() {
        return new LetterQueries(current).all();
    }

    @Override
    public List<Long> replay(Collection<Long> numbers) {
        checkActive();
        return new LetterQueries(current).replay(numbers);
    }

    @Override
    public List<Long> replayAll() {
        checkActive();
        return new LetterQueries(current).replayAll();
    }

    private void checkActive() {
        if (!isActive() || isOver()) {
            throw new IllegalStateException("topology '" + plan().name() + "' "
                    + (death.get() != null ? "has died" : "is inactive: its spouts do not emit"));
        }
    }

    @Override
    public ErrorReport death() {
        return death.get();
    }

    /** {@return the status of each worker, in the order of their numbers} */
    public List<WorkerStatus> statuses() {
        return current.statuses();
    }

    /**
     * Ends the process of a worker, which then starts again.
     *
     * @param pid the process
     * @param by who has asked for it, and where, in a few words
     * @return whether it is a living process of a worker
     */
    public boolean restart(long pid, String by) {
        return current.restart(pid, by);
    }

    /** {@return the process ids of the workers that are alive} */
    public List<Long> pids() {
        return closed ? List.of() : current.pids();
    }

    /**
     * Stops the workers; those that do not stop within 13 seconds are killed. A rebalance in progress ends first. Returns when
     * no worker is left. Idempotent.
     */
    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            active = false;
        }
        boolean interrupted = Thread.interrupted(); // wait for the workers nevertheless
        current.cancel();
        redeployment.end();
        try {
            current.stop();
            last = current.snapshot();
        } finally {
            current.close();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
