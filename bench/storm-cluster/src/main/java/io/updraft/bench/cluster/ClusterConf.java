package io.updraft.bench.cluster;

import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.storm.Config;

/** The settings of the cluster's {@code storm.yaml} that differ from those of the test fixture. */
final class ClusterConf {

    private ClusterConf() {}

    static Map<String, Object> all() {
        Map<String, Object> conf = new LinkedHashMap<>();
        // Storm's defaults. The test fixture uses shorter periods, which would cost the measured workers CPU time.
        conf.put(Config.TASK_HEARTBEAT_FREQUENCY_SECS, 3);
        conf.put(Config.EXECUTOR_METRICS_FREQUENCY_SECS, 60);
        // Workers need no time to shut down, and a short wait frees the slots for the next topology sooner.
        conf.put(Config.SUPERVISOR_WORKER_SHUTDOWN_SLEEP_SECS, 1);
        // On a busy machine a worker's first heartbeat takes long. Killing the worker would only start it again.
        conf.put("supervisor.worker.start.timeout.secs", 120);
        // Empty, so that workers get only the options of the topology's configuration.
        conf.put(Config.WORKER_CHILDOPTS, "");
        return conf;
    }
}
