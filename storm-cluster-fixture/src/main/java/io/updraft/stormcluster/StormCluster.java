package io.updraft.stormcluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.storm.generated.KillOptions;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.generated.TopologyInfo;
import org.apache.storm.generated.TopologySummary;

/**
 * A running Storm cluster. Start it once for a test class, and close it in the end; should the JVM die before, nothing is left
 * either. All that can take time has a deadline, and says what it waited for, with the end of every log, when it passes.
 *
 * <p>{@code -Dupdraft.stormcluster.keep=true} keeps the cluster's directory, with its logs, for a look.
 *
 * <p>Threads: any, but one at a time.
 */
public final class StormCluster implements AutoCloseable {

    /** How long starting may take; daemons listen after 4 to 6 seconds if the machine has nothing else to do. */
    private static final Duration START = Duration.ofMinutes(3);

    private static final Duration SUBMIT = Duration.ofMinutes(2);
    private static final Duration KILL = Duration.ofMinutes(2);
    private static final Duration POLL = Duration.ofMillis(100);

    private final StormHome home;
    private final Mark mark;
    private final Process reaper;
    private final ClusterConfig config;
    private final boolean keep = Boolean.getBoolean("updraft.stormcluster.keep");
    private final Map<String, Process> daemons = new LinkedHashMap<>();

    private StormCluster(Builder builder) {
        Mark.checkSupported();
        home = StormHome.create(builder.plugins);
        mark = new Mark(home.root());
        config = ClusterConfig.of(builder.conf, builder.slots);
        reaper = startReaper();
    }

    /** {@return a builder of a cluster with two Supervisors of two slots each} */
    public static Builder builder() {
        return new Builder();
    }

    /** What a cluster shall be. */
    public static final class Builder {

        private int supervisors = 2;
        private int slots = 2;
        private final Map<String, Object> conf = new LinkedHashMap<>();
        private final List<Path> plugins = new ArrayList<>();

        private Builder() {}

        /**
         * Sets how many Supervisors there are.
         *
         * @param number at least 1
         * @return this
         */
        public Builder supervisors(int number) {
            supervisors = number;
            return this;
        }

        /**
         * Sets how many workers each Supervisor may run.
         *
         * @param number at least 1
         * @return this
         */
        public Builder slots(int number) {
            slots = number;
            return this;
        }

        /**
         * Sets a line of {@code storm.yaml}, for all daemons.
         *
         * @param key the key
         * @param value the value; a string, number, boolean, or a list or map of such
         * @return this
         */
        public Builder config(String key, Object value) {
            conf.put(key, value);
            return this;
        }

        /**
         * Puts something into {@code extlib}.
         *
         * @param jarOrClasses a jar, or a directory of classes, which becomes a jar
         * @return this
         */
        public Builder plugin(Path jarOrClasses) {
            plugins.add(jarOrClasses);
            return this;
        }

        /**
         * Starts the cluster, and returns when Nimbus answers and knows all Supervisors.
         *
         * @return the cluster, to be closed
         */
        public StormCluster start() {
            StormCluster cluster = new StormCluster(this);
            try {
                cluster.start(supervisors);
                return cluster;
            } catch (RuntimeException | Error e) {
                cluster.close();
                throw e;
            }
        }
    }

    private Process startReaper() {
        List<String> command = List.of(
                Path.of(Jvm.javaHome(), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx32m",
                "-cp",
                Jars.of(Reaper.class).toString(),
                Reaper.class.getName(),
                home.root().toString(),
                Boolean.toString(keep));
        try {
            return new ProcessBuilder(command)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start the reaper", e);
        }
    }

    private void start(int supervisors) {
        startZooKeeper();
        startDaemon("nimbus", "org.apache.storm.daemon.nimbus.Nimbus", config.nimbus(home));
        for (int i = 1; i <= supervisors; i++) {
            String name = "supervisor-" + i;
            startDaemon(
                    name,
                    "org.apache.storm.daemon.supervisor.Supervisor",
                    config.supervisor(home.localDirectory(name)));
        }
        await("Nimbus to know " + supervisors + " Supervisors", START, () -> {
            checkDaemons();
            return registeredSupervisors() == supervisors;
        });
    }

    private void startZooKeeper() {
        Path file = home.write(
                "conf/zoo.cfg",
                "tickTime=2000\nmaxClientCnxns=0\nclientPortAddress=127.0.0.1\nclientPort=" + config.zooKeeperPort()
                        + "\ndataDir=" + home.localDirectory("zookeeper") + "\n");
        Process process = new Jvm(home, home.root() + "/lib/*", List.of())
                .with(
                        "zookeeper.admin.enableServer=false",
                        "zookeeper.serverCnxnFactory="
                                + "org.apache.storm.shade.org.apache.zookeeper.server.NIOServerCnxnFactory")
                .with(logging("zookeeper"))
                .start(
                        "zookeeper",
                        "org.apache.storm.shade.org.apache.zookeeper.server.ZooKeeperServerMain",
                        file.toString());
        daemons.put("zookeeper", process);
    }

    private void startDaemon(String name, String main, Map<String, Object> conf) {
        Path file = home.configure(name, conf);
        Process process = new Jvm(home, home.daemonClassPath(), List.of())
                .with(logging(name))
                .with("storm.options=", "storm.conf.file=" + file)
                .start(name, main);
        daemons.put(name, process);
    }

    private String[] logging(String name) {
        return new String[] {
            "storm.log.dir=" + home.logs(),
            "logfile.name=" + name + ".log",
            "log4j.configurationFile=" + home.root() + "/log4j2/cluster.xml"
        };
    }

    private void checkDaemons() {
        daemons.forEach((name, process) -> {
            if (!process.isAlive()) {
                throw new IllegalStateException(name + " ended with code " + process.exitValue() + "\n" + logs());
            }
        });
    }

    private int registeredSupervisors() {
        return tryNimbus(client -> client.getClusterInfo().get_supervisors().size())
                .orElse(0);
    }

    /** A question to Nimbus. */
    @FunctionalInterface
    private interface Question<T> {
        T ask(Nimbus.Iface client) throws Exception;
    }

    /** Returns the answer, or nothing while Nimbus does not listen or is not the leader yet. */
    private <T> Optional<T> tryNimbus(Question<T> question) {
        try (NimbusConnection nimbus = NimbusConnection.open(config.client())) {
            return Optional.ofNullable(question.ask(nimbus.client()));
        } catch (Exception notYet) {
            return Optional.empty();
        }
    }

    /**
     * Waits for a condition.
     *
     * @param what the condition, for people, as in "waited for ..."
     * @param limit how long at the most
     * @param condition the condition; is asked ten times a second
     * @throws AssertionError when the time is over; its message has the end of every log
     */
    public void await(String what, Duration limit, BooleanSupplier condition) {
        long deadline = System.nanoTime() + limit.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("waited " + limit.toSeconds() + " s for " + what + "\n" + logs());
            }
            try {
                Thread.sleep(POLL.toMillis());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError("interrupted while waiting for " + what + "\n" + logs(), e);
            }
        }
    }

    /**
     * Does what {@code storm jar} does: runs a main class, which submits a topology, in a JVM of its own.
     *
     * @param jar the topology's jar
     * @param main the main class
     * @param arguments its arguments
     * @throws IllegalStateException when the program fails; the message has what it printed
     */
    public void submit(Path jar, String main, String... arguments) {
        String name = "submit-" + main;
        Process process = new Jvm(home, home.clientClassPath(jar), List.of())
                .with(
                        "storm.jar=" + jar,
                        "storm.options=",
                        "storm.conf.file=" + home.configure("client", config.common()))
                .with(logging(name))
                .start(name, main, arguments);
        await("the program that submits the topology to end", SUBMIT, () -> !process.isAlive());
        if (process.exitValue() != 0) {
            throw new IllegalStateException(main + " ended with code " + process.exitValue() + "\n" + logs());
        }
    }

    /**
     * Asks Nimbus about a topology.
     *
     * @param name its name
     * @return what Nimbus knows; empty when there is none of that name, or Nimbus does not answer now
     */
    public Optional<TopologyInfo> topology(String name) {
        return tryNimbus(client -> client.getTopologyInfoByName(name));
    }

    /**
     * Finds the live workers of a topology.
     *
     * @param name the topology's name
     * @return its worker JVMs, of all Supervisors
     */
    public List<WorkerProcess> workers(String name) {
        Optional<String> id = topologyId(name);
        return mark.processes().stream()
                .flatMap(process -> WorkerProcess.of(process).stream())
                .filter(worker -> id.isPresent() && worker.topologyId().equals(id.get()))
                .toList();
    }

    /**
     * Finds the worker that runs a component. Of a worker that has just been started nothing is found until it has reported:
     * a Supervisor does not look after one before that, and would notice its end only after the time that a start may take.
     *
     * @param topology the topology's name
     * @param component the component
     * @return the worker with its first executor; empty while it is not running
     */
    public Optional<WorkerProcess> workerOf(String topology, String component) {
        Optional<Integer> port = topology(topology)
                .flatMap(info -> info.get_executors().stream()
                        .filter(executor ->
                                executor.get_component_id().equals(component) && executor.get_uptime_secs() > 0)
                        .map(executor -> executor.get_port())
                        .findFirst());
        return workers(topology).stream()
                .filter(worker -> port.isPresent() && worker.port() == port.get())
                .findFirst();
    }

    private Optional<String> topologyId(String name) {
        return tryNimbus(Nimbus.Iface::getClusterInfo).stream()
                .flatMap(cluster -> cluster.get_topologies().stream())
                .filter(topology -> topology.get_name().equals(name))
                .map(TopologySummary::get_id)
                .findFirst();
    }

    /**
     * Ends a topology, and returns when Nimbus has forgotten it and its workers are gone.
     *
     * @param name its name
     */
    public void kill(String name) {
        List<WorkerProcess> workers = workers(name);
        tryNimbus(client -> {
            KillOptions now = new KillOptions();
            now.set_wait_secs(0);
            client.killTopologyWithOpts(name, now);
            return true;
        });
        await(
                "topology " + name + " to end",
                KILL,
                () -> answersWithout(name)
                        && workers.stream().noneMatch(worker -> worker.process().isAlive()));
    }

    private boolean answersWithout(String name) {
        return tryNimbus(Nimbus.Iface::getClusterInfo)
                .map(cluster -> cluster.get_topologies().stream()
                        .noneMatch(topology -> topology.get_name().equals(name)))
                .orElse(false);
    }

    /** {@return the end of each log of daemons and workers, for a message of a test that fails} */
    public String logs() {
        return new Logs(home).tails();
    }

    /** {@return the cluster's directory, Storm's home} */
    public Path home() {
        return home.root();
    }

    /** {@return the live processes of the cluster: daemons, workers and what they have started} */
    public List<ProcessHandle> processes() {
        return mark.processes();
    }

    /** Kills all processes of the cluster and removes its directory. Idempotent. */
    @Override
    public void close() {
        mark.killAll();
        try {
            reaper.getOutputStream().close();
            if (!reaper.waitFor(START.toSeconds(), TimeUnit.SECONDS)) {
                reaper.destroyForcibly();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot end the reaper", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (!keep && Files.exists(home.root())) {
            Directories.delete(home.root());
        }
    }
}
