package io.updraft.cluster.supervised;

import io.updraft.cluster.supervised.ClusterConnection.WorkerArguments;
import io.updraft.storm.WorkerStatistics;
import java.util.Optional;
import org.apache.storm.Config;
import org.apache.storm.utils.ObjectReader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Polls the cluster state that concerns a worker, and applies it: assignment, topology state, log levels, credentials, blobs.
 */
final class ClusterStatePoller {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterStatePoller.class);

    /** How long the Supervisor may take to end a worker that is no longer assigned. */
    private static final int LEAVE_SECS = 10;

    /** Longest drain of a worker that restarts to join other workers: they wait for it. */
    private static final long DRAIN_MILLIS = 1_000;

    /** How long a Supervisor may take to learn of a new assignment that is in ZooKeeper already. */
    private static final int SUPERVISOR_DELAY_SECS = 1;

    private static final long CONNECTION_STEP_MILLIS = 100;
    private static final int BLOBS_SECS = 10;

    private final ClusterConnection cluster;
    private final ClusterCredentials credentials;
    private final DutyScheduler timers;
    private final Schedule schedule;
    private final Schedule.ScheduledWorker self;
    private final SupervisedEngine engine;
    private final Runnable onLeave;
    private final DutyScheduler.Duty assignment;
    private final DutyScheduler.Duty watch;
    private final DutyScheduler.Duty topology;
    private final DutyScheduler.Duty logLevels;
    private boolean leaving;

    /** Creates the duties without starting them. {@code onLeave} is called when the worker must end because its assignment changed. */
    ClusterStatePoller(
            ClusterConnection cluster,
            ClusterCredentials credentials,
            DutyScheduler timers,
            SupervisedEngine engine,
            Runnable onLeave) {
        this.cluster = cluster;
        this.credentials = credentials;
        this.timers = timers;
        this.schedule = engine.place().schedule();
        this.self = engine.place().self();
        this.engine = engine;
        this.onLeave = onLeave;
        assignment = timers.duty("read the topology's assignment", this::followAssignment);
        watch = timers.duty("watch the topology's assignment", this::watchAssignment);
        topology = timers.duty("read the topology's state", this::followTopology);
        logLevels = timers.duty("read the topology's log levels", this::followLogLevels);
    }

    void begin() {
        int poll = cluster.seconds(Config.TASK_REFRESH_POLL_SECS);
        assignment.every(poll);
        watch.every(poll);
        topology.every(poll);
        logLevels.every(poll);
        timers.duty("read the topology's credentials", this::followCredentials)
                .every(cluster.seconds(Config.TASK_CREDENTIALS_POLL_SECS));
        timers.duty("check for new versions of blobs", this::followBlobs)
                .every(ObjectReader.getInt(
                        cluster.conf().get(Config.WORKER_BLOB_UPDATE_POLL_INTERVAL_SECS), BLOBS_SECS));
        timers.duty("record statistics", engine::remember).every(WorkerStatistics.STEP_SECS);
        timers.duty("wait for the connections to the other workers", this::awaitConnections)
                .soon();
    }

    private void awaitConnections() throws InterruptedException {
        while (!engine.engine().isConnected()) {
            Thread.sleep(CONNECTION_STEP_MILLIS);
        }
        WorkerArguments arguments = cluster.arguments();
        LOG.info(
                "All connections are ready for worker {}:{} with id {}",
                arguments.node(),
                arguments.port(),
                arguments.workerId());
    }

    /** Sets the watch again and again, because a ZooKeeper session that ends loses its watches. */
    private void watchAssignment() throws Exception {
        cluster.onNewAssignment(() -> {
            assignment.soon();
            assignment.in(SUPERVISOR_DELAY_SECS);
            watch.soon();
        });
    }

    private void followAssignment() {
        if (leaving) {
            return;
        }
        Optional<Schedule> now = cluster.schedule();
        boolean stays = now.flatMap(later -> later.workerAt(cluster.arguments().slot()))
                .filter(later -> later.executors().equals(self.executors()))
                .isPresent();
        if (!stays) {
            LOG.info("this worker ends: its executors are no longer assigned to it");
            leaving = true;
            engine.stopSpouts();
            timers.duty("end the worker", onLeave::run).in(LEAVE_SECS);
        } else if (schedule.fits(now.get())) {
            engine.setSchedule(now.get());
        } else {
            LOG.info("this worker restarts: the executors of other workers have been reassigned");
            leaving = true;
            engine.drain(DRAIN_MILLIS);
            onLeave.run();
        }
    }

    private void followTopology() {
        engine.follow(cluster.state().stormBase(cluster.arguments().topologyId(), topology::soon));
    }

    private void followLogLevels() {
        engine.setLogLevels(
                cluster.state().topologyLogConfig(cluster.arguments().topologyId(), logLevels::soon));
    }

    private void followCredentials() {
        if (credentials.refresh()) {
            engine.setCredentials(credentials.current());
        }
    }

    private void followBlobs() throws Exception {
        engine.setBlobVersions(cluster.files().blobVersions(cluster.spec().conf()));
    }
}
