package io.updraft.bench.cluster;

import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.storm.Config;

/** What the {@code storm.yaml} of the cluster says, where it is not what the cluster for tests says anyway. */
final class ClusterConf {

    private ClusterConf() {}

    static Map<String, Object> all() {
        Map<String, Object> conf = new LinkedHashMap<>();
        // Storm's defaults: a test wants to hear of everything at once, which workers here would have to pay for.
        conf.put(Config.TASK_HEARTBEAT_FREQUENCY_SECS, 3);
        conf.put(Config.EXECUTOR_METRICS_FREQUENCY_SECS, 60);
        // A worker that is to end has nothing to put in order; the next topology's slots are free the sooner.
        conf.put(Config.SUPERVISOR_WORKER_SHUTDOWN_SLEEP_SECS, 1);
        // On a busy machine a worker takes long to report for the first time; killed for it, it would only be started
        // again.
        conf.put("supervisor.worker.start.timeout.secs", 120);
        // Nothing of its own: workers get what the topology's configuration says.
        conf.put(Config.WORKER_CHILDOPTS, "");
        return conf;
    }
}
