package io.updraft.cluster.local;

import io.updraft.cluster.local.ControlMessage.AskQuiet;
import io.updraft.cluster.local.ControlMessage.AskState;
import io.updraft.cluster.local.ControlMessage.Quiet;
import io.updraft.cluster.local.ControlMessage.Switches;
import io.updraft.engine.EngineStarter;
import io.updraft.engine.api.EngineOptions;
import io.updraft.engine.api.ErrorReport;
import io.updraft.engine.metrics.EngineSnapshot;
import io.updraft.engine.plan.Plan;
import io.updraft.storm.RemoteEngine;
import io.updraft.storm.TopologyChange;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.storm.generated.DebugOptions;
import org.apache.storm.generated.LogConfig;
import org.apache.storm.generated.StormTopology;

/**
 * A topology that runs in worker processes on this host: as many as {@code topology.workers} says. A worker that ends is
 * started again, after a wait that grows while it keeps ending; what was in flight fails and can be replayed.
 *
 * <p>All methods may be called from any thread.
 */
public final class LocalWorkers implements RemoteEngine {
    private static final long LOOK_MILLIS = 5;
    private static final long SNAPSHOT_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long SWITCHED_NANOS = TimeUnit.SECONDS.toNanos(3);
    private static final long LEAST_ANSWER_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final AtomicReference<ErrorReport> death = new AtomicReference<>();
    private final Redeployment redeployment;

    /** Written under this object's monitor. */
    private volatile Deployment current;

    /** Written under this object's monitor; never again false. */
    private volatile boolean closed;

    /** Whether spouts are to be asked for tuples, whenever they can be. Written under this object's monitor. */
    private volatile boolean active;

    /** Whether spouts are not asked for tuples, whatever {@link #active} says. Guarded by this object's monitor. */
    private boolean paused;

    /** Whether there are no workers, or none that was ever active. */
    private volatile boolean between;

    /** Guarded by this object's monitor: one change at a time. */
    private Switches switches = Switches.NONE;

    private volatile EngineSnapshot last;

    private LocalWorkers(Layout layout, EngineOptions options, WorkerSettings settings) {
        redeployment = new Redeployment(this, options, settings);
        current = redeployment.first(layout);
    }

    /**
     * Makes what starts topologies in worker processes.
     *
     * @param settings how workers are started
     * @return the starter; it throws {@link io.updraft.engine.plan.InvalidTopology} when a worker cannot be started, and nothing is
     *     left behind then
     */
    public static EngineStarter starter(WorkerSettings settings) {
        return (topology, conf, options) -> start(topology, conf, options, settings);
    }

    private static LocalWorkers start(
            StormTopology topology, Map<String, Object> conf, EngineOptions options, WorkerSettings settings) {
        Layout layout = Layout.of(topology, conf, options, settings);
        LocalWorkers workers = new LocalWorkers(layout, options, settings);
        workers.current.start();
        return workers;
    }

    @Override
    public Plan plan() {
        return current.plan();
    }

    @Override
    public boolean change(TopologyChange change, Duration limit) throws InterruptedException {
        return redeployment.carryOut(change, limit);
    }

    // ---- what a redeployment does, on its own thread -------------------------------------------------------------

    Deployment current() {
        return current;
    }

    /** {@return whether the topology has died, or is being closed} */
    boolean isOver() {
        return closed || death.get() != null;
    }

    synchronized void pause() {
        paused = true;
        current.coordinator().setActive(false);
    }

    /** No worker is left of the old deployment. */
    void setBetween() {
        between = true;
    }

    /** Lets another deployment take the place of one that has ended. {@return false when it is too late for that} */
    synchronized boolean replace(Deployment next) {
        if (isOver()) {
            return false;
        }
        Deployment old = current;
        next.coordinator().keepSwitches(switches);
        current = next;
        old.close();
        return true;
    }

    /** Goes on as it is wanted now. */
    synchronized void resume() {
        paused = false;
        between = false;
        if (!isOver()) {
            current.coordinator().setActive(active);
        }
    }

    /** {@return who is told of failures of one deployment} */
    FailureTeller failures(EngineOptions options) {
        return new FailureTeller(options.onError(), report -> {
            if (death.compareAndSet(null, report)) {
                quieten();
                options.onDeath().accept(report);
            }
        });
    }

    /** A topology that has died is to emit nothing, were it in workers that have just taken the place of those that died. */
    private synchronized void quieten() {
        current.coordinator().setActive(false);
    }

    /** Takes note that there is nothing left that could run. */
    void die(EngineOptions options, ErrorReport report) {
        if (death.compareAndSet(null, report)) {
            // Not on this thread: whoever hears of it may wait for what it does.
            Thread teller = new Thread(() -> options.onDeath().accept(report), "updraft-death");
            teller.setDaemon(true);
            teller.start();
        }
    }

    // ---- what others ask for -------------------------------------------------------------------------------------

    @Override
    public synchronized void setDebug(Map<String, DebugOptions> options) {
        setSwitches(new Switches(Map.copyOf(options), switches.levels()));
    }

    @Override
    public synchronized void setLogLevels(LogConfig levels) {
        setSwitches(new Switches(switches.debug(), levels.deepCopy()));
    }

    private void setSwitches(Switches wanted) {
        switches = wanted;
        if (closed) {
            return;
        }
        try {
            current.coordinator().setSwitches(wanted, SWITCHED_NANOS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public synchronized void activate() {
        if (!isOver()) {
            active = true;
            tellActive();
        }
    }

    @Override
    public synchronized void deactivate() {
        active = false;
        if (!closed) {
            tellActive();
        }
    }

    private void tellActive() {
        if (!paused) {
            current.coordinator().setActive(active);
        }
    }

    @Override
    public boolean isActive() {
        return active && death.get() == null;
    }

    /**
     * {@inheritDoc}
     *
     * <p>All workers are asked twice, one time after the other: if each was idle, all that was sent had arrived, and nothing
     * was sent in between, then nothing is under way (the four-counter method of Mattern, "Algorithms for distributed
     * termination detection", 1987).
     */
    @Override
    public boolean awaitIdle(Duration limit) throws InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        Traffic before = null;
        do {
            if (isOver()) {
                return false;
            }
            if (between) {
                return true;
            }
            Traffic now = traffic(Math.max(deadline - System.nanoTime(), LEAST_ANSWER_NANOS));
            if (now != null && now.equals(before)) {
                return true;
            }
            before = now;
            if (now == null) {
                Thread.sleep(LOOK_MILLIS);
            }
        } while (before != null || System.nanoTime() - deadline < 0);
        return false;
    }

    /** {@return what has gone from worker to worker, or null if something may be on its way} */
    private Traffic traffic(long limitNanos) throws InterruptedException {
        Coordinator coordinator = current.coordinator();
        List<Quiet> answers = coordinator.quiet(coordinator.ask(AskQuiet::new, limitNanos));
        if (answers == null || !answers.stream().allMatch(Quiet::idle)) {
            return null;
        }
        long sent = answers.stream().mapToLong(Quiet::sent).sum();
        long received = answers.stream().mapToLong(Quiet::received).sum();
        return sent == received ? new Traffic(sent, received) : null;
    }

    private record Traffic(long sent, long received) {}

    /** {@return the newest state that the workers have told; a worker that does not answer is shown as it was} */
    @Override
    public EngineSnapshot snapshot() {
        if (last != null) {
            return last;
        }
        Coordinator coordinator = current.coordinator();
        try {
            coordinator.ask(AskState::new, SNAPSHOT_NANOS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        EngineSnapshot known = last;
        return known != null ? known : coordinator.snapshot();
    }

    @Override
    public ErrorReport death() {
        return death.get();
    }

    /** {@return what has become of each worker, in the order of their numbers} */
    public List<WorkerStatus> statuses() {
        return current.coordinator().statuses();
    }

    /** {@return the processes of the workers that live now} */
    public List<Long> pids() {
        return closed ? List.of() : current.coordinator().pids();
    }

    /**
     * Stops the workers; those that do not stop within 13 seconds are killed. A change that is under way ends, and is waited
     * for. Returns when no worker is left. Idempotent.
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
        boolean interrupted = Thread.interrupted(); // the workers are waited for all the same
        current.cancel();
        redeployment.end();
        try {
            current.stop();
            last = current.coordinator().snapshot();
        } finally {
            current.close();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
