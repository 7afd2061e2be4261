package io.updraft.stormcluster;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** ZooKeeper, Nimbus and the Supervisors of a cluster. */
final class Daemons {

    private final StormHome home;
    private final ClusterConfig config;
    private final Map<String, Process> processes = new LinkedHashMap<>();

    /** The start of each daemon, by name. A restart uses the same ports and the same directory. */
    private final Map<String, Runnable> starts = new LinkedHashMap<>();

    private final Map<String, List<Integer>> slots = new LinkedHashMap<>();

    Daemons(StormHome home, ClusterConfig config) {
        this.home = home;
        this.config = config;
    }

    /** Starts all daemons. They listen some seconds later. */
    void start(int supervisors) {
        starts.put("zookeeper", this::startZooKeeper);
        Map<String, Object> nimbus = config.nimbus(home);
        starts.put("nimbus", () -> start("nimbus", "org.apache.storm.daemon.nimbus.Nimbus", nimbus));
        for (int i = 1; i <= supervisors; i++) {
            String name = "supervisor-" + i;
            Map<String, Object> conf = config.supervisor(home.localDirectory(name));
            slots.put(name, ClusterConfig.slotsOf(conf));
            starts.put(name, () -> start(name, "org.apache.storm.daemon.supervisor.Supervisor", conf));
        }
        starts.values().forEach(Runnable::run);
    }

    /** Kills a daemon as {@code kill -9} does, and returns after its death. */
    void kill(String name) {
        Process process = processes.remove(checked(name));
        if (process != null) {
            process.destroyForcibly();
            process.onExit().join();
        }
    }

    /** Starts a daemon that was killed. */
    void startAgain(String name) {
        starts.get(checked(name)).run();
    }

    /** Restarts the daemons that have ended by themselves. */
    void startEnded() {
        List<String> ended = processes.entrySet().stream()
                .filter(each -> !each.getValue().isAlive())
                .map(Map.Entry::getKey)
                .toList();
        ended.forEach(this::startAgain);
    }

    /** Returns the ports of a Supervisor's workers. */
    List<Integer> slots(String supervisor) {
        return slots.get(checked(supervisor));
    }

    private String checked(String name) {
        if (!starts.containsKey(name)) {
            throw new IllegalArgumentException("there is no daemon '" + name + "'; the daemons are " + starts.keySet());
        }
        return name;
    }

    private void startZooKeeper() {
        Path file = home.write(
                "conf/zoo.cfg",
                "tickTime=2000\nmaxSessionTimeout=60000\nmaxClientCnxns=0\nclientPortAddress=127.0.0.1\nclientPort="
                        + config.zooKeeperPort() + "\ndataDir=" + home.localDirectory("zookeeper") + "\n");
        Process process = new Jvm(home, home.root() + "/lib/*", List.of())
                .with(
                        "zookeeper.admin.enableServer=false",
                        // No data outlives the cluster, and waiting for a busy disk would lose sessions.
                        "zookeeper.forceSync=no",
                        "zookeeper.preAllocSize=1024",
                        "zookeeper.serverCnxnFactory="
                                + "org.apache.storm.shade.org.apache.zookeeper.server.NIOServerCnxnFactory")
                .logging("zookeeper")
                .start(
                        "zookeeper",
                        "org.apache.storm.shade.org.apache.zookeeper.server.ZooKeeperServerMain",
                        file.toString());
        processes.put("zookeeper", process);
    }

    private void start(String name, String main, Map<String, Object> conf) {
        Path file = home.configure(name, conf);
        Process process = new Jvm(home, home.daemonClassPath(), List.of())
                .logging(name)
                .with("storm.options=", "storm.conf.file=" + file)
                .start(name, main);
        processes.put(name, process);
    }

    /** Throws if a daemon has ended. */
    void check() {
        processes.forEach((name, process) -> {
            if (!process.isAlive()) {
                Logs logs = new Logs(home);
                String why = logs.complaint(name).map(line -> ": " + line).orElse("");
                throw new StormClusterException(
                        name + " of the Storm cluster ended with code " + process.exitValue() + why, logs.tails());
            }
        });
    }
}
