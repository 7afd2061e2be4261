package io.updraft.cluster.local;

import io.updraft.cluster.local.ControlMessage.AskQuiet;
import io.updraft.cluster.local.ControlMessage.AskState;
import io.updraft.cluster.local.ControlMessage.Assignment;
import io.updraft.cluster.local.ControlMessage.Quiet;
import io.updraft.cluster.local.ControlMessage.Switches;
import io.updraft.engine.EngineStarter;
import io.updraft.engine.api.EngineOptions;
import io.updraft.engine.api.ErrorReport;
import io.updraft.engine.metrics.EngineSnapshot;
import io.updraft.engine.plan.InvalidTopology;
import io.updraft.engine.plan.Plan;
import io.updraft.engine.plan.Planner;
import io.updraft.engine.plan.Settings;
import io.updraft.storm.ProgramFiles;
import io.updraft.storm.RemoteEngine;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.storm.Config;
import org.apache.storm.generated.DebugOptions;
import org.apache.storm.generated.LogConfig;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.shade.net.minidev.json.JSONValue;
import org.apache.storm.utils.Utils;

/**
 * A topology that runs in worker processes on this host: as many as {@code topology.workers} says. A worker that ends is
 * started again, after a wait that grows while it keeps ending; what was in flight fails and can be replayed.
 *
 * <p>All methods may be called from any thread.
 */
public final class LocalWorkers implements RemoteEngine {
    private static final int SECRET_BYTES = 32;
    private static final long LOOK_MILLIS = 5;
    private static final long SNAPSHOT_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long SWITCHED_NANOS = TimeUnit.SECONDS.toNanos(3);
    private static final long LEAST_ANSWER_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Plan plan;
    private final Coordinator coordinator;
    private final SharedByWorkers shared;
    private final AtomicReference<ErrorReport> death;
    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile boolean active;

    /** Guarded by this object's monitor: one change at a time. */
    private Switches switches = Switches.NONE;

    private volatile EngineSnapshot last;

    private LocalWorkers(
            Plan plan, Coordinator coordinator, SharedByWorkers shared, AtomicReference<ErrorReport> death) {
        this.plan = plan;
        this.coordinator = coordinator;
        this.shared = shared;
        this.death = death;
    }

    /**
     * Makes what starts topologies in worker processes.
     *
     * @param settings how workers are started
     * @return the starter; it throws {@link InvalidTopology} when a worker cannot be started, and nothing is left behind then
     */
    public static EngineStarter starter(WorkerSettings settings) {
        return (topology, conf, options) -> start(topology, conf, options, settings);
    }

    private static LocalWorkers start(
            StormTopology topology, Map<String, Object> conf, EngineOptions options, WorkerSettings settings) {
        WorkerConf.check(conf);
        int wanted = WorkerConf.workers(conf);
        int workers = Math.min(wanted, executors(topology, conf, options));
        if (workers < wanted) {
            settings.output()
                    .tell("updraft: topology '" + options.name() + "' has " + workers
                            + " executors, so that it runs in " + workers + " workers instead of " + wanted);
        }
        Map<String, Object> whole = withWorkers(conf, workers);
        Plan plan = Planner.plan(options.name(), options.id(), topology, whole, Settings.of(whole), workers);
        AtomicReference<ErrorReport> death = new AtomicReference<>();
        FailureTeller failures = new FailureTeller(options.onError(), report -> {
            death.set(report);
            options.onDeath().accept(report);
        });
        SharedByWorkers shared = SharedByWorkers.open(options.name(), whole, workers);
        try {
            whole.putAll(shared.options());
            Run run = new Run(plan, assignment(topology, whole, options, settings, workers));
            return new LocalWorkers(plan, started(run, whole, settings, failures), shared, death);
        } catch (RuntimeException | Error e) {
            shared.close();
            throw e;
        }
    }

    private static Coordinator started(
            Run run, Map<String, Object> conf, WorkerSettings settings, FailureTeller failures) {
        Plan plan = run.plan();
        try {
            List<WorkerCommand> commands = WorkerCommand.all(settings, conf, plan.id(), plan.workers());
            Coordinator coordinator = new Coordinator(run, commands, settings.output(), failures);
            coordinator.start();
            return coordinator;
        } catch (InvalidTopology e) {
            throw e; // it says all that there is to say
        } catch (IOException | IllegalArgumentException e) {
            throw new InvalidTopology("topology '" + plan.name() + "': " + e.getMessage(), e);
        }
    }

    /** As in Storm, there is no worker that has nothing to do. */
    private static int executors(StormTopology topology, Map<String, Object> conf, EngineOptions options) {
        return Planner.plan(options.name(), options.id(), topology, conf, Settings.of(conf), 1)
                .executors()
                .size();
    }

    /** Shares the cores among the workers, unless somebody has said how many loops there are to be. */
    private static Map<String, Object> withWorkers(Map<String, Object> conf, int workers) {
        Map<String, Object> whole = new HashMap<>(conf);
        whole.put(Config.TOPOLOGY_WORKERS, workers);
        int cores = Runtime.getRuntime().availableProcessors();
        whole.putIfAbsent(Settings.LOOPS, Math.max(1, cores / workers));
        return whole;
    }

    private static Assignment assignment(
            StormTopology topology,
            Map<String, Object> conf,
            EngineOptions options,
            WorkerSettings settings,
            int workers) {
        ProgramFiles program = settings.program();
        byte[] secret = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(secret);
        return new Assignment(
                options.name(),
                options.id(),
                workers,
                Utils.thriftSerialize(topology),
                JSONValue.toJSONString(conf),
                program.jar().map(LocalWorkers::absolute).orElse(null),
                program.others().stream().map(LocalWorkers::absolute).toList(),
                secret,
                options.seed());
    }

    private static String absolute(Path file) {
        return file.toAbsolutePath().toString();
    }

    @Override
    public Plan plan() {
        return plan;
    }

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
        if (closed.get()) {
            return;
        }
        try {
            coordinator.setSwitches(wanted, SWITCHED_NANOS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void activate() {
        if (death.get() == null && !closed.get()) {
            active = true;
            coordinator.setActive(true);
        }
    }

    @Override
    public void deactivate() {
        active = false;
        if (!closed.get()) {
            coordinator.setActive(false);
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
            if (closed.get() || death.get() != null) {
                return false;
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
        return coordinator.statuses();
    }

    /** {@return the processes of the workers that live now} */
    public List<Long> pids() {
        return closed.get() ? List.of() : coordinator.pids();
    }

    /** Stops the workers; those that do not stop within 13 seconds are killed. Returns when none is left. Idempotent. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            active = false;
            boolean interrupted = Thread.interrupted(); // the workers are waited for all the same
            try {
                coordinator.close();
                last = coordinator.snapshot();
            } finally {
                coordinator.shutDown();
                shared.close();
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }
}
