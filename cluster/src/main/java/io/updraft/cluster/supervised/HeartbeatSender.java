package io.updraft.cluster.supervised;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.storm.Config;
import org.apache.storm.Constants;
import org.apache.storm.generated.ClusterWorkerHeartbeat;
import org.apache.storm.generated.ExecutorInfo;
import org.apache.storm.generated.ExecutorStats;
import org.apache.storm.generated.LSWorkerHeartbeat;
import org.apache.storm.utils.Time;

/** Sends the worker's heartbeats to its Supervisor and to Nimbus, and its statistics to Nimbus. */
final class HeartbeatSender {

    /** Storm's system executor, which each worker has. */
    static final ExecutorInfo SYSTEM = new ExecutorInfo((int) Constants.SYSTEM_TASK_ID, (int) Constants.SYSTEM_TASK_ID);

    private final ClusterConnection cluster;
    private final DutyScheduler timers;
    private final long startedNanos = System.nanoTime();
    private final AtomicReference<LSWorkerHeartbeat> newest = new AtomicReference<>();
    private volatile SupervisedEngine engine;

    HeartbeatSender(ClusterConnection cluster, DutyScheduler timers) {
        this.cluster = cluster;
        this.timers = timers;
    }

    /** Starts the heartbeats. The first one is sent at once, because a worker without a heartbeat must not run. */
    void begin(Schedule.ScheduledWorker self) throws IOException {
        List<ExecutorInfo> executors = new ArrayList<>(self.executors());
        executors.add(SYSTEM);
        newest.set(cluster.files().beat(executors));
        timers.duty(
                        "send a heartbeat to the Supervisor",
                        () -> newest.set(cluster.files().beat(executors)))
                .every(cluster.seconds(Config.WORKER_HEARTBEAT_FREQUENCY_SECS));
        boolean pacemaker = cluster.state().isPacemakerStateStore();
        if (!pacemaker) {
            timers.duty("send a heartbeat to Nimbus", () -> cluster.supervisor().sendHeartbeat(newest.get()))
                    .every(cluster.seconds(Config.WORKER_HEARTBEAT_FREQUENCY_SECS));
        }
        timers.duty("send statistics to Nimbus", this::reportStatistics)
                .every(cluster.seconds(
                        pacemaker ? Config.TASK_HEARTBEAT_FREQUENCY_SECS : Config.EXECUTOR_METRICS_FREQUENCY_SECS));
    }

    void setEngine(SupervisedEngine running) {
        engine = running;
    }

    private void reportStatistics() {
        SupervisedEngine running = engine;
        Map<ExecutorInfo, ExecutorStats> statistics = running == null ? Map.of() : running.statistics(SYSTEM);
        WorkerArguments arguments = cluster.arguments();
        int uptime = (int) TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startedNanos);
        cluster.state()
                .workerHeartbeat(
                        arguments.topologyId(),
                        arguments.node(),
                        (long) arguments.port(),
                        new ClusterWorkerHeartbeat(arguments.topologyId(), statistics, Time.currentTimeSecs(), uptime));
    }
}
