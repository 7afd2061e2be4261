package io.updraft.stormcluster;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.generated.RebalanceOptions;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.generated.TopologyInfo;

/**
 * A running Storm cluster. Start it once for a test class, and close it at the end; if the JVM dies earlier, all processes and
 * files are removed too. Every slow operation has a deadline. When a deadline passes, the exception names the condition and has
 * the ends of the newest logs.
 *
 * <p>{@code -Dupdraft.stormcluster.keep=true} keeps the cluster's directory with its logs.
 *
 * <p>May be used from any thread, but only from one at a time.
 */
public final class StormCluster implements AutoCloseable {

    /** The maximum time of a start. On an idle machine, daemons listen after 4 to 6 seconds. */
    private static final Duration START = Duration.ofMinutes(5);

    private static final Duration SUBMIT = Duration.ofMinutes(2);
    private static final Duration KILL = Duration.ofMinutes(2);

    private final StormHome home;
    private final Mark mark;
    private final Reaper.Pipe reaper;
    private final ClusterConfig config;
    private final StormClient client;
    private final boolean keep = Boolean.getBoolean("updraft.stormcluster.keep");
    private final Daemons daemons;
    private final Topologies topologies;

    StormCluster(StormClusterBuilder builder) {
        Mark.checkSupported();
        home = StormHome.create(builder.plugins, builder.archives);
        mark = new Mark(home.root());
        config = ClusterConfig.of(builder.conf, builder.slots);
        client = new StormClient(home, home.configure("client", config.common()));
        daemons = new Daemons(home, config);
        topologies = new Topologies(config.client(), mark);
        reaper = Reaper.start(home.root(), keep);
    }

    /** {@return a builder, initially of a cluster with two Supervisors of two slots each} */
    public static StormClusterBuilder builder() {
        return new StormClusterBuilder();
    }

    void start(int supervisors) {
        daemons.start(supervisors);
        await("Nimbus to know " + supervisors + " Supervisors", START, () -> {
            daemons.check();
            return topologies.supervisors() == supervisors;
        });
    }

    /**
     * Waits for a condition.
     *
     * @param what the condition in words, as in "waited for ..."
     * @param limit the maximum time
     * @param condition the condition, evaluated ten times a second
     * @throws StormClusterException when the time is over; the message names the condition and has the ends of the newest logs
     */
    public void await(String what, Duration limit, BooleanSupplier condition) {
        new Patience(new Logs(home)).await(what, limit, condition);
    }

    /**
     * Runs a main class, which submits a topology, in a JVM of its own, as {@code storm jar} does.
     *
     * @param jar the topology's jar
     * @param main the main class
     * @param arguments the program's arguments
     * @throws StormClusterException when the program fails; the message has the program's output
     */
    public void submit(Path jar, String main, String... arguments) {
        submit(jar, main, Map.of(), arguments);
    }

    /**
     * Runs a main class as above, with options of {@code storm jar -c}.
     *
     * @param jar the topology's jar
     * @param main the main class
     * @param conf settings that override those of the program; values must be expressible in JSON
     * @param arguments the program's arguments
     * @throws StormClusterException when the program fails; the message has the program's output
     */
    public void submit(Path jar, String main, Map<String, Object> conf, String... arguments) {
        awaitLeader();
        Process process = client.start(jar, main, conf, arguments);
        await("the program that submits the topology to end", SUBMIT, () -> !process.isAlive());
        if (process.exitValue() != 0) {
            throw new StormClusterException(main + " ended with code " + process.exitValue(), logs());
        }
    }

    /**
     * Submits a topology that this JVM has built, and returns when Nimbus has accepted it. Its workers start, but its spouts
     * emit nothing before it is activated: a Storm worker loses tuples that it sends to a worker which is still starting.
     *
     * @param name the topology's name, which no other topology has
     * @param conf the topology's configuration; values must be expressible in JSON
     * @param topology the topology; the classes of its components must be in {@code extlib}
     * @throws StormClusterException when Nimbus refuses the topology
     */
    public void submitInactive(String name, Map<String, Object> conf, StormTopology topology) {
        awaitLeader();
        try {
            topologies.submitInactive(name, conf, topology, home.emptyJar());
        } catch (Exception e) {
            throw new StormClusterException("Nimbus did not accept topology " + name + ": " + e, logs(), e);
        }
    }

    /**
     * Waits for a leader before a submission, which is not retried: on a busy machine, Nimbus may just have lost its ZooKeeper
     * session.
     */
    private void awaitLeader() {
        await("Nimbus to be the leader", SUBMIT, () -> {
            daemons.check();
            return topologies.isLed();
        });
    }

    /**
     * Activates a topology that was submitted inactive.
     *
     * @param name the topology's name
     * @throws StormClusterException when Nimbus refuses the request
     */
    public void activate(String name) {
        order("activate topology " + name, nimbus -> nimbus.activate(name));
    }

    /**
     * Deactivates the spouts of a topology.
     *
     * @param name the topology's name
     * @throws StormClusterException when Nimbus refuses the request
     */
    public void deactivate(String name) {
        order("deactivate topology " + name, nimbus -> nimbus.deactivate(name));
    }

    /**
     * Rebalances a topology.
     *
     * @param name the topology's name
     * @param options Storm's options; with a wait of 0 the rebalance begins at once
     * @throws StormClusterException when Nimbus refuses the request
     */
    public void rebalance(String name, RebalanceOptions options) {
        order("rebalance topology " + name, nimbus -> nimbus.rebalance(name, options));
    }

    /** A request to Nimbus without a result. */
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
     * Sends a request to Nimbus, after Nimbus has become the leader.
     *
     * @param <T> the type of the result
     * @param request the request
     * @return the result
     * @throws StormClusterException when the request fails
     */
    public <T> T ask(NimbusRequest<T> request) {
        awaitLeader();
        try {
            return topologies.call(request);
        } catch (Exception e) {
            throw new StormClusterException("Nimbus did not answer: " + e, logs(), e);
        }
    }

    /**
     * Kills a daemon as {@code kill -9} does, and returns after its death. The workers of a killed Supervisor live on.
     *
     * @param name {@code zookeeper}, {@code nimbus}, {@code supervisor-1} and so on
     */
    public void killDaemon(String name) {
        daemons.kill(name);
    }

    /**
     * Starts a daemon that was killed, with the same configuration and the same directory.
     *
     * @param name the daemon's name
     */
    public void startDaemon(String name) {
        daemons.startAgain(name);
    }

    /** Restarts the daemons that have ended by themselves. Storm's daemons do so when ZooKeeper is away for long. */
    public void startEndedDaemons() {
        daemons.startEnded();
    }

    /**
     * Kills a node: its Supervisor and all its workers die at once.
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
     * @return the ports of its slots
     */
    public List<Integer> slots(String supervisor) {
        return daemons.slots(supervisor);
    }

    /**
     * Lists the children of a path in the cluster's ZooKeeper.
     *
     * @param path a path below Storm's root, such as {@code /assignments}
     * @return the names of the children; none if the path does not exist
     */
    public List<String> znodes(String path) {
        try {
            return new ZooKeeperTree(config.zooKeeperPort()).children("/storm" + path);
        } catch (Exception e) {
            throw new StormClusterException("cannot list " + path + " in ZooKeeper: " + e, logs(), e);
        }
    }

    /**
     * Returns whether a worker has started in full.
     *
     * @param worker the worker
     * @return whether the worker has all its executors and is connected to all workers that they send to
     */
    public boolean isReady(WorkerProcess worker) {
        return new Logs(home).isReady(worker);
    }

    /**
     * Checks that all daemons are running.
     *
     * @throws StormClusterException when a daemon has ended
     */
    public void check() {
        daemons.check();
    }

    /**
     * Requests the state of a topology from Nimbus.
     *
     * @param name the topology's name
     * @return Nimbus' answer; empty if there is no topology of that name, or if Nimbus does not answer
     */
    public Optional<TopologyInfo> topology(String name) {
        return topologies.info(name);
    }

    /**
     * Finds the live workers of a topology. Lists all processes of this host, without a request to the cluster.
     *
     * @param name the topology's name
     * @return the worker JVMs, of all Supervisors
     */
    public List<WorkerProcess> workers(String name) {
        return topologies.workers(name);
    }

    /**
     * Finds the worker that runs a component. A new worker is found only after it has reported: before that, its Supervisor
     * would notice its end only after the maximum time of a worker's start.
     *
     * @param topology the topology's name
     * @param component the component
     * @return the worker of the component's first executor; empty while it is not running
     */
    public Optional<WorkerProcess> workerOf(String topology, String component) {
        return topologies.workerOf(topology, component);
    }

    /**
     * Finds the reason for the end of a worker.
     *
     * @param worker a worker, alive or dead
     * @return the last error or exception in the worker's log, on one line; empty if there is none, as after {@code kill -9}
     */
    public Optional<String> complaint(WorkerProcess worker) {
        return new Logs(home).complaint(worker);
    }

    /**
     * Kills a topology. Returns when Nimbus has removed it and the processes of its workers have ended.
     *
     * @param name the topology's name
     */
    public void kill(String name) {
        kill(name, 0);
    }

    /**
     * Kills a topology as above, after its spouts were deactivated for some time.
     *
     * @param name the topology's name
     * @param waitSecs how long the spouts are deactivated, in seconds
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

    /**
     * Records the processes of a topology's workers before they end: a process loses the environment with its mark before it is
     * gone.
     */
    private void note(String topology, Set<ProcessHandle> found) {
        topologies.workers(topology).stream().map(WorkerProcess::process).forEach(found::add);
    }

    /** {@return the ends of the newest logs of daemons and workers, for the message of a failing test} */
    public String logs() {
        return new Logs(home).tails();
    }

    /** {@return the port of Nimbus} */
    public int nimbusPort() {
        return config.nimbusPort();
    }

    /** {@return the cluster's directory, which is Storm's home} */
    public Path home() {
        return home.root();
    }

    /** {@return the live processes of the cluster: daemons, workers and their children} */
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
