package io.updraft.cluster.supervised;

import io.updraft.cluster.signal.ExitWatch;
import io.updraft.engine.api.ErrorReport;
import io.updraft.storm.WorkerStatistics;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import javax.security.auth.Subject;
import org.apache.storm.Config;
import org.apache.storm.Constants;
import org.apache.storm.cluster.ClusterStateContext;
import org.apache.storm.cluster.ClusterUtils;
import org.apache.storm.cluster.DaemonType;
import org.apache.storm.cluster.IStateStorage;
import org.apache.storm.cluster.IStormClusterState;
import org.apache.storm.generated.ClusterWorkerHeartbeat;
import org.apache.storm.generated.ExecutorInfo;
import org.apache.storm.generated.ExecutorStats;
import org.apache.storm.generated.LSWorkerHeartbeat;
import org.apache.storm.shade.uk.org.lidalia.sysoutslf4j.context.SysOutOverSLF4J;
import org.apache.storm.utils.ConfigUtils;
import org.apache.storm.utils.ObjectReader;
import org.apache.storm.utils.Time;
import org.apache.storm.utils.Utils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The process of a worker that a Supervisor has launched, from its start to its end. The main thread starts everything and then
 * waits for the reason to end.
 */
public final class SupervisedWorker {
    private static final Logger LOG = LoggerFactory.getLogger(SupervisedWorker.class);

    private static final int FAILED = 1;
    private static final int OUT_OF_MEMORY = 72;
    private static final int LINK_FAILED = 73;

    /** How long the Supervisor may take to end a worker whose assignment is gone. */
    private static final int PATIENCE_SECS = 10;

    /** A worker that joins others drains no longer than that: they wait for it. */
    private static final long DRAIN_MILLIS = 1_000;

    /** How long a Supervisor may take to hear of a new assignment that is in ZooKeeper already. */
    private static final int HEARING_SECS = 1;

    /** What closing takes after draining. */
    private static final long CLOSING_MILLIS = 1_500;

    private static final long CONNECTION_STEP_MILLIS = 100;

    private static final String READ_ASSIGNMENT = "read the topology's assignment";

    private final WorkerArguments arguments;
    private final Map<String, Object> supervisors;
    private final WorkerFiles files;
    private final ClusterSpec spec;
    private final IStateStorage storage;
    private final IStormClusterState state;
    private final Supervisors supervisor;
    private final NimbusErrors errors;
    private final ClusterCredentials credentials;
    private final Timers timers;
    private final long startedNanos = System.nanoTime();
    private final CompletableFuture<Integer> end = new CompletableFuture<>();

    /** Whether the worker is to end, as it is not to run any more what it runs. */
    private boolean leaving;

    private Schedule schedule;
    private Schedule.Worker self;

    /** Null until the engine has started. */
    private volatile ClusterEngine running;

    private SupervisedWorker(WorkerArguments arguments, Map<String, Object> supervisors) throws Exception {
        this.arguments = arguments;
        this.supervisors = supervisors;
        supervisors.put(Config.PACEMAKER_AUTH_METHOD, "NONE");
        files = new WorkerFiles(supervisors, arguments);
        files.announce();
        spec = ClusterSpec.read(supervisors, arguments.topologyId());
        ClusterStateContext context = new ClusterStateContext(DaemonType.WORKER, spec.conf());
        storage = ClusterUtils.mkStateStorage(supervisors, spec.conf(), context);
        state = ClusterUtils.mkStormClusterState(storage, null, context);
        supervisor = new Supervisors(spec.conf(), arguments, state);
        errors = new NimbusErrors(state, arguments, spec.conf(), anyComponent());
        credentials = new ClusterCredentials(state, arguments.topologyId(), spec.conf());
        timers = new Timers(credentials.subject(), this::onUncaught);
    }

    private String anyComponent() {
        return spec.topology().get_spouts().keySet().stream()
                .sorted()
                .findFirst()
                .orElse("__system");
    }

    /**
     * Runs a worker until the Supervisor ends it, or it finds that it is not to run any more.
     *
     * @param args what the Supervisor says: topology, Supervisor, its port, port, worker
     */
    public static void main(String[] args) {
        SupervisedWorker worker = null;
        try {
            WorkerArguments arguments = WorkerArguments.parse(args);
            Map<String, Object> conf = ConfigUtils.readStormConfig();
            SysOutOverSLF4J.sendSystemOutAndErrToSLF4J();
            LOG.info("Updraft's worker {} for {} on {}:{}", args[4], args[0], args[1], args[3]);
            worker = new SupervisedWorker(arguments, conf);
            Subject.doAs(worker.credentials.subject(), (PrivilegedExceptionAction<Void>) worker::start);
            System.exit(worker.end.get());
        } catch (Throwable e) {
            LOG.error("worker cannot run: {}", String.valueOf(e.getMessage()), e);
            if (worker != null) {
                worker.reportFatal("the start of the worker", e);
                worker.errors.close();
            }
            Runtime.getRuntime().halt(FAILED);
        }
    }

    private Void start() throws Exception {
        LOG.info("Topology {} is configured by {}", arguments.topologyId(), ConfigUtils.maskPasswords(spec.conf()));
        int grace = ObjectReader.getInt(supervisors.get(Config.SUPERVISOR_WORKER_SHUTDOWN_SLEEP_SECS), 3);
        Utils.addShutdownHookWithDelayedForceKill(() -> shutDown(TimeUnit.SECONDS.toMillis(grace)), grace);
        Thread.setDefaultUncaughtExceptionHandler(this::onUncaught);
        int version = supervisor.version();
        schedule =
                readSchedule().orElseThrow(() -> new IllegalStateException("the topology has no assignment any more"));
        self = schedule.workerAt(arguments.slot())
                .orElseThrow(() -> new IllegalStateException("nothing is assigned to port " + arguments.port()));
        beginHeartbeats();
        running = startEngine(version);
        beginDuties();
        LOG.info(
                "Worker {} for topology {} on {}:{} has finished loading",
                arguments.workerId(),
                arguments.topologyId(),
                arguments.node(),
                arguments.port());
        return null;
    }

    private Optional<Schedule> readSchedule() {
        return supervisor
                .assignment()
                .map(each -> Schedule.of(each, spec.componentOfTask().keySet()));
    }

    private ClusterEngine startEngine(int version) throws Exception {
        return ClusterEngine.start(
                new ClusterEngine.Place(arguments, files, spec, schedule, self, version, files.nextStart()),
                credentials.current(),
                errors,
                this::onDeath,
                this::onLinkFailure);
    }

    // ---- what is told to the Supervisor and to Nimbus --------------------------------------------------------

    private void beginHeartbeats() throws Exception {
        List<ExecutorInfo> executors = new ArrayList<>(self.executors());
        executors.add(systemExecutor());
        // The first one at once: whoever cannot be seen is not to run.
        AtomicReference<LSWorkerHeartbeat> newest = new AtomicReference<>(files.beat(executors));
        timers.every(
                "tell the Supervisor that the worker lives",
                seconds(Config.WORKER_HEARTBEAT_FREQUENCY_SECS),
                () -> newest.set(files.beat(executors)));
        boolean pacemaker = state.isPacemakerStateStore();
        if (!pacemaker) {
            timers.every(
                    "tell Nimbus that the worker lives",
                    seconds(Config.WORKER_HEARTBEAT_FREQUENCY_SECS),
                    () -> supervisor.pass(newest.get()));
        }
        timers.every(
                "tell Nimbus what the worker has counted",
                seconds(pacemaker ? Config.TASK_HEARTBEAT_FREQUENCY_SECS : Config.EXECUTOR_METRICS_FREQUENCY_SECS),
                this::reportStatistics);
    }

    private static ExecutorInfo systemExecutor() {
        return new ExecutorInfo((int) Constants.SYSTEM_TASK_ID, (int) Constants.SYSTEM_TASK_ID);
    }

    private int seconds(String key) {
        return ObjectReader.getInt(supervisors.get(key));
    }

    private void reportStatistics() {
        ClusterEngine now = running;
        Map<ExecutorInfo, ExecutorStats> statistics = now == null ? Map.of() : now.statistics(systemExecutor());
        int uptime = (int) TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startedNanos);
        state.workerHeartbeat(
                arguments.topologyId(),
                arguments.node(),
                (long) arguments.port(),
                new ClusterWorkerHeartbeat(arguments.topologyId(), statistics, Time.currentTimeSecs(), uptime));
    }

    // ---- what is read from the cluster -----------------------------------------------------------------------

    private void beginDuties() {
        timers.every(READ_ASSIGNMENT, seconds(Config.TASK_REFRESH_POLL_SECS), this::followAssignment);
        timers.soon("watch the topology's assignment", this::watchAssignment);
        timers.every("read the topology's state", seconds(Config.TASK_REFRESH_POLL_SECS), this::followTopology);
        timers.every("read the topology's log levels", seconds(Config.TASK_REFRESH_POLL_SECS), this::followLogLevels);
        timers.every("read the topology's credentials", seconds(Config.TASK_CREDENTIALS_POLL_SECS), () -> {
            if (credentials.refresh()) {
                running.setCredentials(credentials.current());
            }
        });
        timers.every(
                "look for new versions of blobs",
                ObjectReader.getInt(supervisors.get(Config.WORKER_BLOB_UPDATE_POLL_INTERVAL_SECS), 10),
                () -> running.setBlobVersions(files.blobVersions(spec.conf())));
        timers.every("note what was counted", WorkerStatistics.STEP_SECS, () -> running.remember());
        timers.soon("say that all workers are connected", this::awaitConnections);
    }

    private void awaitConnections() throws InterruptedException {
        while (!running.engine().isConnected()) {
            Thread.sleep(CONNECTION_STEP_MILLIS);
        }
        LOG.info(
                "All connections are ready for worker {}:{} with id {}",
                arguments.node(),
                arguments.port(),
                arguments.workerId());
    }

    private void watchAssignment() throws Exception {
        supervisor.onNewAssignment(() -> {
            timers.soon(READ_ASSIGNMENT, this::followAssignment);
            timers.in(READ_ASSIGNMENT, HEARING_SECS, this::followAssignment);
            timers.soon("watch the topology's assignment", this::watchAssignment);
        });
    }

    private synchronized void followAssignment() {
        if (leaving) {
            return;
        }
        Optional<Schedule> now = readSchedule();
        boolean stays = now.flatMap(later -> later.workerAt(arguments.slot()))
                .filter(later -> later.executors().equals(self.executors()))
                .isPresent();
        if (!stays) {
            LOG.info("this worker is not assigned what it runs any more: it ends");
            leaving = true;
            running.stopSpouts();
            timers.in("end the worker", PATIENCE_SECS, () -> end.complete(FAILED));
        } else if (schedule.fits(now.get())) {
            running.setSchedule(now.get());
        } else {
            LOG.info("executors of other workers were dealt out anew: this worker is started again, to join them");
            leaving = true;
            running.stopSpouts();
            new Drain(running.engine()).await(DRAIN_MILLIS);
            end.complete(FAILED);
        }
    }

    private void followTopology() {
        running.follow(state.stormBase(
                arguments.topologyId(), () -> timers.soon("read the topology's state", this::followTopology)));
    }

    private void followLogLevels() {
        running.setLogLevels(state.topologyLogConfig(
                arguments.topologyId(), () -> timers.soon("read the topology's log levels", this::followLogLevels)));
    }

    // ---- the end ---------------------------------------------------------------------------------------------

    /** The engine gives up, or code of a component's has called {@code System.exit}; the error has been reported. */
    private void onDeath(ErrorReport report) {
        if (report.error() instanceof OutOfMemoryError) {
            halt(OUT_OF_MEMORY);
        }
        end.complete(FAILED);
    }

    private void onLinkFailure(Throwable failure) {
        reportFatal("the link to the other workers", failure);
        halt(failure instanceof OutOfMemoryError ? OUT_OF_MEMORY : LINK_FAILED);
    }

    /**
     * On a thread of the user's, say. One that ends for want of memory leaves a process that cannot be relied on; any other costs
     * what it did itself, which Nimbus hears of.
     */
    private void onUncaught(Thread thread, Throwable failure) {
        String during = "thread '" + thread.getName() + "'";
        if (failure instanceof OutOfMemoryError) {
            reportFatal(during, failure);
            halt(OUT_OF_MEMORY);
        } else {
            report(during, failure, "the thread has ended, and the worker goes on");
        }
    }

    private void reportFatal(String during, Throwable failure) {
        report(during, failure, "the worker ends");
    }

    private void report(String during, Throwable failure, String consequence) {
        errors.accept(
                new ErrorReport(System.currentTimeMillis(), null, ErrorReport.NO_TASK, during, failure, consequence));
    }

    private void halt(int code) {
        errors.close();
        Runtime.getRuntime().halt(code);
    }

    /** A shutdown hook. */
    private void shutDown(long graceMillis) {
        timers.close();
        ClusterEngine last = running;
        if (last != null) {
            AtomicBoolean dead = new AtomicBoolean(end.isDone());
            new ExitWatch((thread, stack) -> {
                        if (last.engine().exitCalled(thread, stack)) {
                            dead.set(true);
                        }
                    })
                    .look();
            if (!dead.get()) {
                last.stopSpouts();
                new Drain(last.engine()).await(graceMillis - CLOSING_MILLIS);
            }
            last.close();
        }
        errors.close();
        state.removeWorkerHeartbeat(arguments.topologyId(), arguments.node(), (long) arguments.port());
        state.disconnect();
        storage.close();
        LOG.info("Worker {} has shut down", arguments.workerId());
    }
}
