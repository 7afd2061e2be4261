package io.updraft.cluster.supervised;

import io.updraft.cluster.supervised.ClusterConnection.WorkerArguments;
import io.updraft.engine.api.MemoryWatch;
import io.updraft.engine.run.InheritedSubject;
import io.updraft.engine.snapshot.ErrorReport;
import io.updraft.observe.death.HeapWatch;
import io.updraft.observe.death.OutOfMemoryCapsules;
import io.updraft.observe.process.HeapHolder;
import io.updraft.observe.signal.ExitWatch;
import java.io.IOException;
import java.security.PrivilegedActionException;
import java.security.PrivilegedExceptionAction;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import javax.security.auth.Subject;
import org.apache.storm.Config;
import org.apache.storm.Constants;
import org.apache.storm.generated.ExecutorInfo;
import org.apache.storm.generated.ExecutorStats;
import org.apache.storm.generated.LSWorkerHeartbeat;
import org.apache.storm.shade.uk.org.lidalia.sysoutslf4j.context.SysOutOverSLF4J;
import org.apache.storm.utils.ConfigUtils;
import org.apache.storm.utils.ObjectReader;
import org.apache.storm.utils.Utils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The process of a worker that a Supervisor has launched, from its start to its end. The main thread starts all parts, and then
 * waits for the reason to end.
 */
public final class SupervisedWorker {
    private static final Logger LOG = LoggerFactory.getLogger(SupervisedWorker.class);

    private static final int FAILED = 1;
    private static final int OUT_OF_MEMORY = 72;
    private static final int LINK_FAILED = 73;

    private static final int GRACE_SECS = 3;

    /** Storm's system executor, which each worker has. */
    private static final ExecutorInfo SYSTEM =
            new ExecutorInfo((int) Constants.SYSTEM_TASK_ID, (int) Constants.SYSTEM_TASK_ID);

    /** The time that closing takes after draining. */
    private static final long CLOSING_MILLIS = 1_500;

    private final ClusterConnection cluster;
    private final NimbusErrorReporter errors;
    private final ClusterCredentials credentials;
    private final DutyScheduler timers;
    private final CompletableFuture<Integer> end = new CompletableFuture<>();
    private final CompletableFuture<SupervisedEngine> running = new CompletableFuture<>();
    private final long startedNanos = System.nanoTime();
    private final AtomicReference<LSWorkerHeartbeat> heartbeat = new AtomicReference<>();

    private SupervisedWorker(ClusterConnection cluster) {
        this.cluster = cluster;
        errors = new NimbusErrorReporter(cluster, anyComponent());
        credentials = new ClusterCredentials(cluster);
        timers = new DutyScheduler(credentials.subject(), this::onUncaught);
    }

    private String anyComponent() {
        return cluster.spec().topology().get_spouts().keySet().stream()
                .sorted()
                .findFirst()
                .orElse("__system");
    }

    /**
     * Runs a worker until the Supervisor ends it, or until the worker is no longer assigned.
     *
     * @param args the arguments from the Supervisor: topology id, Supervisor id, Supervisor's port, worker's port, worker id
     * @param conf the Supervisor's configuration
     */
    public static void run(String[] args, Map<String, Object> conf) {
        SupervisedWorker worker = null;
        try {
            WorkerArguments arguments = WorkerArguments.parse(args);
            SysOutOverSLF4J.sendSystemOutAndErrToSLF4J();
            LOG.info("Updraft's worker {} for {} on {}:{}", args[4], args[0], args[1], args[3]);
            worker = new SupervisedWorker(ClusterConnection.connect(conf, arguments));
            Subject.doAs(worker.credentials.subject(), (PrivilegedExceptionAction<Void>) worker::start);
            System.exit(worker.end.get());
        } catch (PrivilegedActionException e) {
            endAtStart(worker, e.getCause());
        } catch (Throwable e) {
            endAtStart(worker, e);
        }
    }

    private static void endAtStart(SupervisedWorker worker, Throwable failure) {
        if (failure instanceof NotAssignedException) {
            LOG.info("the worker ends: {}", failure.getMessage());
        } else {
            logAtStart(failure);
            if (worker != null) {
                worker.reportFatal("the start of the worker", failure);
                worker.errors.close();
            }
        }
        Runtime.getRuntime().halt(FAILED);
    }

    /** A refusal by the cluster is one line, without the stack. */
    private static void logAtStart(Throwable failure) {
        Optional<String> refusal = ClusterRefusals.explain(failure);
        if (refusal.isPresent()) {
            LOG.error("the worker cannot run: {}", refusal.get());
            LOG.debug("the refusal", failure);
        } else {
            LOG.error("the worker cannot run: {}", String.valueOf(failure.getMessage()), failure);
        }
    }

    private Void start() throws Exception {
        WorkerArguments arguments = cluster.arguments();
        LOG.info(
                "Topology {} is configured by {}",
                arguments.topologyId(),
                ConfigUtils.maskPasswords(cluster.spec().conf()));
        int grace = ObjectReader.getInt(cluster.conf().get(Config.SUPERVISOR_WORKER_SHUTDOWN_SLEEP_SECS), GRACE_SECS);
        Utils.addShutdownHookWithDelayedForceKill(
                InheritedSubject.of(() -> shutDown(TimeUnit.SECONDS.toMillis(grace))), grace);
        Thread.setDefaultUncaughtExceptionHandler(this::onUncaught);
        OutOfMemoryCapsules.install(cluster.files().deaths(), "worker " + arguments.port(), LOG::error);
        SupervisedEngine.WorkerPosition place = findPlace();
        startHeartbeats(place.self());
        SupervisedEngine engine =
                SupervisedEngine.start(place, credentials.current(), errors, this::onDeath, this::onLinkFailure);
        running.complete(engine);
        new ClusterStatePoller(cluster, credentials, timers, engine, () -> end.complete(FAILED)).begin();
        TroubleReporter troubles = new TroubleReporter(
                errors, component -> cluster.state().errors(arguments.topologyId(), component), InstantSource.system());
        timers.duty(
                        "look for stuck calls and hot keys",
                        () -> troubles.look(engine.engine().snapshot()))
                .every(1);
        LOG.info(
                "Worker {} for topology {} on {}:{} has finished loading",
                arguments.workerId(),
                arguments.topologyId(),
                arguments.node(),
                arguments.port());
        return null;
    }

    /**
     * The worker has started for an assignment that Nimbus has changed since, as after a rebalance or a kill. This is not a failure
     * of the topology.
     */
    private static final class NotAssignedException extends Exception {
        private static final long serialVersionUID = 1L;

        NotAssignedException(String message) {
            super(message);
        }
    }

    private SupervisedEngine.WorkerPosition findPlace() throws Exception {
        WorkerArguments arguments = cluster.arguments();
        // Read before the assignment: otherwise an old assignment could get the version of a newer one.
        int version = cluster.version();
        Schedule schedule =
                cluster.schedule().orElseThrow(() -> new NotAssignedException("the topology is no longer assigned"));
        Schedule.ScheduledWorker self = schedule.workerAt(arguments.slot())
                .orElseThrow(() -> new NotAssignedException("no executor is assigned to port " + arguments.port()));
        return new SupervisedEngine.WorkerPosition(
                cluster, schedule, self, version, cluster.files().nextStart());
    }

    /** Starts the heartbeats. The first one is sent at once, because a worker without a heartbeat must not run. */
    private void startHeartbeats(Schedule.ScheduledWorker self) throws IOException {
        List<ExecutorInfo> executors = new ArrayList<>(self.executors());
        executors.add(SYSTEM);
        heartbeat.set(cluster.files().beat(executors));
        int seconds = cluster.seconds(Config.WORKER_HEARTBEAT_FREQUENCY_SECS);
        timers.duty(
                        "send a heartbeat to the Supervisor",
                        () -> heartbeat.set(cluster.files().beat(executors)))
                .every(seconds);
        boolean pacemaker = cluster.state().isPacemakerStateStore();
        if (!pacemaker) {
            timers.duty("send a heartbeat to Nimbus", () -> cluster.sendHeartbeat(heartbeat.get()))
                    .every(seconds);
        }
        timers.duty("send statistics to Nimbus", this::reportStatistics)
                .every(cluster.seconds(
                        pacemaker ? Config.TASK_HEARTBEAT_FREQUENCY_SECS : Config.EXECUTOR_METRICS_FREQUENCY_SECS));
    }

    private void reportStatistics() {
        SupervisedEngine engine = running.getNow(null);
        Map<ExecutorInfo, ExecutorStats> statistics = engine == null ? Map.of() : engine.statistics(SYSTEM);
        WorkerArguments arguments = cluster.arguments();
        long uptime = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startedNanos);
        cluster.state()
                .workerHeartbeat(
                        arguments.topologyId(),
                        arguments.node(),
                        (long) arguments.port(),
                        WorkerHeartbeats.withStatistics(arguments.topologyId(), statistics, uptime));
    }

    // ---- the end ---------------------------------------------------------------------------------------------

    /**
     * Called when the engine has stopped, or a component's code has called {@code System.exit}. The error has been reported.
     */
    private void onDeath(ErrorReport report) {
        if (report.error() instanceof OutOfMemoryError) {
            haltFull();
        }
        end.complete(FAILED);
    }

    private void onLinkFailure(Throwable failure) {
        MemoryWatch.processFailed(Thread.currentThread(), failure);
        reportFatal("the link to the other workers", failure);
        if (failure instanceof OutOfMemoryError) {
            haltFull();
        }
        halt(LINK_FAILED);
    }

    /**
     * Runs on the failed thread, for example a thread of user code. After an OutOfMemoryError the process is unreliable, so it
     * ends. Any other failure ends only its thread, and is reported to Nimbus.
     */
    private void onUncaught(Thread thread, Throwable failure) {
        MemoryWatch.processFailed(thread, failure);
        if (failure instanceof OutOfMemoryError) {
            reportFatal(nameOf(thread), failure);
            haltFull();
        } else {
            report(nameOf(thread), failure, "the thread has ended; the worker continues");
        }
    }

    private static String nameOf(Thread thread) {
        return "thread '" + thread.getName() + "'";
    }

    private void reportFatal(String during, Throwable failure) {
        report(during, failure, "the worker ends");
    }

    private void report(String during, Throwable failure, String consequence) {
        errors.accept(
                new ErrorReport(System.currentTimeMillis(), null, ErrorReport.NO_TASK, during, failure, consequence));
    }

    /** Names to Nimbus the component that fills the heap: the error may have met another one. */
    private void haltFull() {
        try {
            HeapHolder holder = HeapWatch.lastHolder();
            if (holder != null) {
                errors.accept(new ErrorReport(
                        System.currentTimeMillis(),
                        holder.component(),
                        ErrorReport.NO_TASK,
                        "the heap",
                        new OutOfMemoryError(HeapHolder.size(holder.bytes()) + " are held by " + holder.describe()),
                        "the worker ends"));
            }
        } finally {
            halt(OUT_OF_MEMORY);
        }
    }

    private void halt(int code) {
        errors.close();
        MemoryWatch.awaitWritten();
        Runtime.getRuntime().halt(code);
    }

    /** A shutdown hook. The duties end first, because none of them may activate the spouts again. */
    private void shutDown(long graceMillis) {
        timers.close();
        SupervisedEngine last = engine(graceMillis / 3);
        if (last != null) {
            if (!isDead(last)) {
                last.drain(graceMillis - CLOSING_MILLIS);
            }
            last.close();
        }
        errors.close();
        cluster.disconnect();
        LOG.info("Worker {} has shut down", cluster.arguments().workerId());
    }

    /**
     * Waits for the engine: a component may end the process before the engine has started. Returns null if the engine does not
     * start in time.
     */
    private SupervisedEngine engine(long millis) {
        try {
            return running.get(millis, TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            return null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    /** Whether a component has ended the process, or the engine has stopped. Then tuples in flight will not arrive. */
    private boolean isDead(SupervisedEngine last) {
        AtomicBoolean dead = new AtomicBoolean(end.isDone());
        new ExitWatch((thread, stack) -> {
                    if (last.engine().exitCalled(thread, stack)) {
                        dead.set(true);
                    }
                })
                .look();
        return dead.get();
    }
}
