package io.updraft.stormcluster;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.generated.RebalanceOptions;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.generated.TopologyInfo;
import org.apache.storm.shade.net.minidev.json.JSONValue;
import org.apache.storm.shade.org.apache.curator.framework.CuratorFramework;
import org.apache.storm.shade.org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.storm.shade.org.apache.curator.retry.RetryNTimes;
import org.apache.storm.shade.org.apache.zookeeper.KeeperException;

/**
 * A running Storm cluster. Start it once for a test class, and close it in the end; should the JVM die before, nothing is left
 * either. All that can take time has a deadline, and says what it waited for, with the end of the newest logs, when it passes.
 *
 * <p>{@code -Dupdraft.stormcluster.keep=true} keeps the cluster's directory, with its logs, for a look.
 *
 * <p>Threads: any, but one at a time.
 */
public final class StormCluster implements AutoCloseable {

    /** How long starting may take; daemons listen after 4 to 6 seconds if the machine has nothing else to do. */
    private static final Duration START = Duration.ofMinutes(5);

    private static final Duration SUBMIT = Duration.ofMinutes(2);
    private static final Duration KILL = Duration.ofMinutes(2);

    private static final int ZOOKEEPER_TRIES = 10;
    private static final int ZOOKEEPER_PAUSE_MILLIS = 500;

    private final StormHome home;
    private final Mark mark;
    private final Reaper.Pipe reaper;
    private final ClusterConfig config;
    private final Path client;
    private final boolean keep = Boolean.getBoolean("updraft.stormcluster.keep");
    private final Daemons daemons;
    private final Topologies topologies;

    private StormCluster(Builder builder) {
        Mark.checkSupported();
        home = StormHome.create(builder.plugins, builder.archives);
        mark = new Mark(home.root());
        config = ClusterConfig.of(builder.conf, builder.slots);
        client = home.configure("client", config.common());
        daemons = new Daemons(home, config);
        topologies = new Topologies(config.client(), mark);
        reaper = Reaper.start(home.root(), keep);
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
        private final List<Path> archives = new ArrayList<>();

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
         * Unpacks an archive into Storm's directory.
         *
         * @param tarGz the archive
         * @return this
         */
        public Builder archive(Path tarGz) {
            archives.add(tarGz);
            return this;
        }

        /**
         * Installs Updraft's workers as an operator does: unpacks the archive, and adds the two lines to {@code storm.yaml}.
         *
         * @param tarGz the archive
         * @return this
         */
        public Builder updraft(Path tarGz) {
            return archive(tarGz)
                    .config("supervisor.worker.version.main.map", Map.of("2.999", "io.updraft.plugin.UpdraftWorker"))
                    .config("nimbus.topology.validator", "io.updraft.plugin.UpdraftValidator");
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

    private void start(int supervisors) {
        daemons.start(supervisors);
        await("Nimbus to know " + supervisors + " Supervisors", START, () -> {
            daemons.check();
            return topologies.supervisors() == supervisors;
        });
    }

    /**
     * Waits for a condition.
     *
     * @param what the condition, for people, as in "waited for ..."
     * @param limit how long at the most
     * @param condition the condition; is asked ten times a second
     * @throws StormClusterException when the time is over; its message says so, and has the end of the newest logs
     */
    public void await(String what, Duration limit, BooleanSupplier condition) {
        new Patience(new Logs(home)).await(what, limit, condition);
    }

    /**
     * Does what {@code storm jar} does: runs a main class, which submits a topology, in a JVM of its own.
     *
     * @param jar the topology's jar
     * @param main the main class
     * @param arguments its arguments
     * @throws StormClusterException when the program fails; the message has what it printed
     */
    public void submit(Path jar, String main, String... arguments) {
        submit(jar, main, Map.of(), arguments);
    }

    /**
     * Does the same with options of {@code storm jar -c}.
     *
     * @param jar the topology's jar
     * @param main the main class
     * @param conf configuration over that of the program; values that JSON can say
     * @param arguments its arguments
     * @throws StormClusterException when the program fails; the message has what it printed
     */
    public void submit(Path jar, String main, Map<String, Object> conf, String... arguments) {
        awaitLeader();
        String name = "submit-" + main;
        Process process = new Jvm(home, home.clientClassPath(jar), List.of())
                .with("storm.jar=" + jar, "storm.options=" + optionsOf(conf), "storm.conf.file=" + client)
                .logging(name)
                .start(name, main, arguments);
        await("the program that submits the topology to end", SUBMIT, () -> !process.isAlive());
        if (process.exitValue() != 0) {
            throw new StormClusterException(main + " ended with code " + process.exitValue(), logs());
        }
    }

    private static String optionsOf(Map<String, Object> conf) {
        return conf.entrySet().stream()
                .map(each -> encoded(each.getKey()) + "%3D" + encoded(JSONValue.toJSONString(each.getValue())))
                .collect(Collectors.joining(","));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    /**
     * Submits a topology that this JVM has built, and returns when Nimbus has accepted it. Its workers start, but nothing
     * flows before it is activated: what a worker of Storm sends while another one is still starting is lost.
     *
     * @param name the topology's name; no other of that name may be there
     * @param conf its configuration; values that JSON can say
     * @param topology what to run; the classes of its components have been put into {@code extlib}
     * @throws StormClusterException when Nimbus refuses it
     */
    public void submitInactive(String name, Map<String, Object> conf, StormTopology topology) {
        awaitLeader();
        try {
            topologies.submitInactive(name, conf, topology, home.emptyJar());
        } catch (Exception e) {
            throw new StormClusterException("Nimbus did not accept topology " + name + ": " + e, logs(), e);
        }
    }

    /** A submission is not tried again: on a machine that gives ZooKeeper no time, Nimbus may have lost its session just now. */
    private void awaitLeader() {
        await("Nimbus to be the leader", SUBMIT, () -> {
            daemons.check();
            return topologies.isLed();
        });
    }

    /**
     * Lets a topology run that was submitted inactive.
     *
     * @param name its name
     * @throws StormClusterException when Nimbus refuses it
     */
    public void activate(String name) {
        order("activate topology " + name, nimbus -> nimbus.activate(name));
    }

    /**
     * Stops the spouts of a topology.
     *
     * @param name its name
     * @throws StormClusterException when Nimbus refuses it
     */
    public void deactivate(String name) {
        order("deactivate topology " + name, nimbus -> nimbus.deactivate(name));
    }

    /**
     * Has a topology laid out anew.
     *
     * @param name its name
     * @param options Storm's options; with a wait of 0 it begins at once
     * @throws StormClusterException when Nimbus refuses it
     */
    public void rebalance(String name, RebalanceOptions options) {
        order("rebalance topology " + name, nimbus -> nimbus.rebalance(name, options));
    }

    /** An order to Nimbus. */
    @FunctionalInterface
    private interface Order {
        void give(Nimbus.Iface nimbus) throws Exception;
    }

    private void order(String what, Order order) {
        awaitLeader();
        try {
            topologies.call(nimbus -> {
                order.give(nimbus);
                return null;
            });
        } catch (Exception e) {
            throw new StormClusterException("Nimbus did not " + what + ": " + e, logs(), e);
        }
    }

    /**
     * A question to Nimbus.
     *
     * @param <T> what it answers
     */
    @FunctionalInterface
    public interface Question<T> {
        /**
         * Asks.
         *
         * @param nimbus a connection
         * @return the answer
         * @throws Exception when there is none
         */
        T ask(Nimbus.Iface nimbus) throws Exception;
    }

    /**
     * Asks Nimbus anything, when it is there.
     *
     * @param <T> what it answers
     * @param question the question
     * @return the answer
     * @throws StormClusterException when there is none
     */
    public <T> T ask(Question<T> question) {
        awaitLeader();
        try {
            return topologies.call(question);
        } catch (Exception e) {
            throw new StormClusterException("Nimbus did not answer: " + e, logs(), e);
        }
    }

    /**
     * Kills a daemon as {@code kill -9} does, and returns when it is dead. What a Supervisor has started lives on.
     *
     * @param name {@code zookeeper}, {@code nimbus}, {@code supervisor-1} and so on
     */
    public void killDaemon(String name) {
        daemons.kill(name);
    }

    /**
     * Starts a daemon that was killed, with the same configuration and the same directory.
     *
     * @param name its name
     */
    public void startDaemon(String name) {
        daemons.startAgain(name);
    }

    /** Starts again the daemons that have ended by themselves, as those of Storm do when ZooKeeper is away for long. */
    public void startEndedDaemons() {
        daemons.startEnded();
    }

    /**
     * Loses a node: its Supervisor and all its workers die at once.
     *
     * @param supervisor the Supervisor's name
     */
    public void loseNode(String supervisor) {
        daemons.kill(supervisor);
        List<WorkerProcess> lost = mark.processes().stream()
                .flatMap(process -> WorkerProcess.of(process).stream())
                .filter(worker -> daemons.slots(supervisor).contains(worker.port()))
                .toList();
        lost.forEach(WorkerProcess::kill);
    }

    /**
     * Lists the ports of a Supervisor's workers.
     *
     * @param supervisor the Supervisor's name
     * @return its slots
     */
    public List<Integer> slots(String supervisor) {
        return daemons.slots(supervisor);
    }

    /**
     * Lists what is below a path in the cluster's ZooKeeper.
     *
     * @param path a path below Storm's root, as in {@code /assignments}
     * @return the names of its children; none if it is not there
     */
    public List<String> znodes(String path) {
        try (CuratorFramework zooKeeper = CuratorFrameworkFactory.newClient(
                "localhost:" + config.zooKeeperPort(), new RetryNTimes(ZOOKEEPER_TRIES, ZOOKEEPER_PAUSE_MILLIS))) {
            zooKeeper.start();
            return zooKeeper.getChildren().forPath("/storm" + path);
        } catch (KeeperException.NoNodeException none) {
            return List.of();
        } catch (Exception e) {
            throw new StormClusterException("cannot list " + path + " in ZooKeeper: " + e, logs(), e);
        }
    }

    /**
     * Tells whether a worker has started in full.
     *
     * @param worker the worker
     * @return whether it has all its executors, and is connected to all workers that these send to
     */
    public boolean isReady(WorkerProcess worker) {
        return new Logs(home).isReady(worker);
    }

    /**
     * Looks after the daemons.
     *
     * @throws StormClusterException when one has ended
     */
    public void check() {
        daemons.check();
    }

    /**
     * Asks Nimbus about a topology.
     *
     * @param name its name
     * @return what Nimbus knows; empty when there is none of that name, or Nimbus does not answer now
     */
    public Optional<TopologyInfo> topology(String name) {
        return topologies.info(name);
    }

    /**
     * Finds the live workers of a topology. Costs a look at all processes of this host, and nothing of the cluster's time.
     *
     * @param name the topology's name
     * @return its worker JVMs, of all Supervisors
     */
    public List<WorkerProcess> workers(String name) {
        return topologies.workers(name);
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
        return topologies.workerOf(topology, component);
    }

    /**
     * Looks for why a worker ended.
     *
     * @param worker a worker, alive or dead
     * @return the last error or exception in its log, on one line; empty if there is none, as after {@code kill -9}
     */
    public Optional<String> complaint(WorkerProcess worker) {
        return new Logs(home).complaint(worker);
    }

    /**
     * Ends a topology, and returns when Nimbus has forgotten it and the processes of its workers are gone.
     *
     * @param name its name
     */
    public void kill(String name) {
        kill(name, 0);
    }

    /**
     * The same, with spouts stopped for a while before.
     *
     * @param name its name
     * @param waitSecs how long, seconds
     */
    public void kill(String name, int waitSecs) {
        Set<ProcessHandle> dying = new HashSet<>();
        note(name, dying);
        await("Nimbus to kill topology " + name, KILL, () -> {
            daemons.check();
            return topologies.kill(name, waitSecs);
        });
        await("topology " + name + " to end", KILL, () -> {
            daemons.check();
            boolean forgotten = topologies.isUnknown(name);
            note(name, dying);
            return forgotten && dying.stream().noneMatch(ProcessHandle::isAlive);
        });
    }

    /** Later they may not be found: a process that ends loses the environment with its mark some time before it is gone. */
    private void note(String topology, Set<ProcessHandle> found) {
        topologies.workers(topology).stream().map(WorkerProcess::process).forEach(found::add);
    }

    /** {@return the end of the newest logs of daemons and workers, for a message of a test that fails} */
    public String logs() {
        return new Logs(home).tails();
    }

    /** {@return where Nimbus listens} */
    public int nimbusPort() {
        return config.nimbusPort();
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
        reaper.close();
        if (!keep && Files.exists(home.root())) {
            Directories.delete(home.root());
        }
    }
}
