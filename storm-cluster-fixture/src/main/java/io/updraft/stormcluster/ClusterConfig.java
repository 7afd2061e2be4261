package io.updraft.stormcluster;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.storm.Config;
import org.apache.storm.utils.Utils;

/**
 * The configurations of one cluster.
 *
 * @param common the configuration of all daemons and clients
 * @param ports the source of free ports
 * @param slots the number of workers of each Supervisor
 */
record ClusterConfig(Map<String, Object> common, Ports ports, int slots) {

    private static final String SLOTS = "supervisor.slots.ports";

    static ClusterConfig of(Map<String, Object> wishes, int slots) {
        Ports ports = new Ports();
        Map<String, Object> conf = new LinkedHashMap<>();
        conf.put(Config.STORM_ZOOKEEPER_SERVERS, List.of("localhost"));
        conf.put(Config.STORM_ZOOKEEPER_PORT, ports.next());
        // Prevents lost sessions on a busy machine.
        conf.put(Config.STORM_ZOOKEEPER_SESSION_TIMEOUT, 60_000);
        conf.put(Config.NIMBUS_SEEDS, List.of("localhost"));
        conf.put(Config.NIMBUS_THRIFT_PORT, ports.next());
        conf.put(Config.STORM_LOCAL_HOSTNAME, "localhost");
        conf.put("nimbus.monitor.freq.secs", 1);
        conf.put("supervisor.monitor.frequency.secs", 1);
        // With less time, a worker would be killed during an orderly shutdown.
        conf.put("supervisor.worker.shutdown.sleep.secs", 3);
        // The time until the end of a worker that has not reported yet is noticed.
        conf.put("supervisor.worker.start.timeout.secs", 45);
        conf.put(Config.TASK_HEARTBEAT_FREQUENCY_SECS, 1);
        conf.put(Config.EXECUTOR_METRICS_FREQUENCY_SECS, 1);
        conf.put(Config.WORKER_CHILDOPTS, "-Xmx256m -XX:+UseSerialGC -XX:TieredStopAtLevel=1");
        conf.put("topology.worker.logwriter.childopts", "-Xmx32m -XX:+UseSerialGC -XX:TieredStopAtLevel=1");
        conf.putAll(wishes);
        return new ClusterConfig(Map.copyOf(conf), ports, slots);
    }

    int zooKeeperPort() {
        return (Integer) common.get(Config.STORM_ZOOKEEPER_PORT);
    }

    int nimbusPort() {
        return (Integer) common.get(Config.NIMBUS_THRIFT_PORT);
    }

    Map<String, Object> nimbus(StormHome home) {
        return with(Map.of(Config.STORM_LOCAL_DIR, home.localDirectory("nimbus").toString()));
    }

    Map<String, Object> supervisor(Path localDirectory) {
        return with(Map.of(
                Config.STORM_LOCAL_DIR,
                localDirectory.toString(),
                "supervisor.thrift.port",
                ports.next(),
                SLOTS,
                Stream.generate(ports::next).limit(slots).toList()));
    }

    /** Returns the ports of the workers of a Supervisor. */
    @SuppressWarnings("unchecked")
    static List<Integer> slotsOf(Map<String, Object> supervisor) {
        return (List<Integer>) supervisor.get(SLOTS);
    }

    /** Returns the configuration of a client in this JVM, including Storm's defaults. */
    Map<String, Object> client() {
        Map<String, Object> conf = Utils.readDefaultConfig();
        conf.putAll(common);
        return conf;
    }

    private Map<String, Object> with(Map<String, Object> own) {
        Map<String, Object> conf = new LinkedHashMap<>(common);
        conf.putAll(own);
        return conf;
    }
}
