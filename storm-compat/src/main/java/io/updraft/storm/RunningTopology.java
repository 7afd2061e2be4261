package io.updraft.storm;

import io.updraft.engine.TopologyEngine;
import io.updraft.storm.instrument.Instruments;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.storm.generated.DebugOptions;
import org.apache.storm.generated.StormTopology;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One topology of a cluster, from its submission until nothing of it is left. Killing it is the work of a thread of its
 * own, so that a component may ask for the end of the very topology it runs in.
 *
 * <p>Safe to use from any thread.
 */
final class RunningTopology {

    private static final Logger LOG = LoggerFactory.getLogger(RunningTopology.class);

    /** Between two looks at the time that is left for draining. */
    private static final Duration DRAIN_STEP = Duration.ofMillis(20);

    /** How much longer than the drain a killer waits for components to close before it returns without them. */
    private static final Duration CLOSING_TIME = Duration.ofSeconds(15);

    /** How long a drain may take without a word. */
    private static final Duration QUIET_DRAIN = Duration.ofSeconds(1);

    private static final Duration SWITCHING_TIME = Duration.ofSeconds(2);

    private final String name;
    private final String id;
    private final StormTopology topology;
    private final TopologyEngine engine;
    private final TopologyContexts contexts;
    private final Runnable release;
    private final CountHistory history = new CountHistory();

    /** Of a topology in other processes: what was said of debugging, by component, or by the topology's id. */
    private final Map<String, DebugOptions> remoteDebug = new ConcurrentHashMap<>();

    private final CompletableFuture<Void> gone = new CompletableFuture<>();
    private final AtomicBoolean rebalancing = new AtomicBoolean();
    private boolean killed;
    private volatile Map<String, Object> conf;
    private volatile long drainUntilNanos;

    RunningTopology(
            String name,
            String id,
            StormTopology topology,
            Map<String, Object> conf,
            TopologyEngine engine,
            TopologyContexts contexts,
            Runnable release) {
        this.name = name;
        this.id = id;
        this.topology = topology;
        this.conf = conf;
        this.engine = engine;
        this.contexts = contexts;
        this.release = release;
    }

    String name() {
        return name;
    }

    String id() {
        return id;
    }

    /** The topology as submitted. */
    StormTopology topology() {
        return topology;
    }

    /** The configuration it was submitted with, as Storm would keep it: without the defaults beneath. */
    Map<String, Object> conf() {
        return conf;
    }

    TopologyEngine engine() {
        return engine;
    }

    /** What its components had counted in the past. */
    CountHistory history() {
        return history;
    }

    /** Takes note of what its components have counted. */
    void remember() {
        history.remember(engine.snapshot());
    }

    /** The state in Storm's words, and {@code DEAD} when the engine gave up. */
    synchronized String status() {
        if (killed) {
            return "KILLED";
        }
        if (engine.death() != null) {
            return "DEAD";
        }
        if (rebalancing.get()) {
            return "REBALANCING";
        }
        return engine.isActive() ? "ACTIVE" : "INACTIVE";
    }

    /** What was said of debugging, by component, or by the topology's id. */
    Map<String, DebugOptions> debugOptions() {
        return engine instanceof RemoteEngine ? Map.copyOf(remoteDebug) : contexts.debugOptions();
    }

    /** See {@link UpdraftCluster#debug}. */
    void debug(String component, boolean enable, double samplingPercentage) {
        if (engine instanceof RemoteEngine remote) {
            debug(remote, component, Instruments.debugOptionsOf(enable, samplingPercentage));
            return;
        }
        CompletableFuture<Void> done = contexts.debug(engine.plan(), component, enable, samplingPercentage);
        if (!Callers.insideEngine()) {
            awaitSwitched(done);
        }
    }

    /** Gives components new credentials in place of all that they had. */
    void setCredentials(Map<String, String> credentials) {
        if (engine instanceof RemoteEngine) {
            throw new UnsupportedOperationException(
                    "topology '" + name + "' runs in worker processes, whose components are handed no credentials");
        }
        contexts.credentials().set(credentials);
    }

    /** One change at a time: each tells the whole state. */
    private void debug(RemoteEngine remote, String component, DebugOptions options) {
        synchronized (remoteDebug) {
            remoteDebug.put(component == null || component.isEmpty() ? id : component, options);
            remote.setDebug(Map.copyOf(remoteDebug));
        }
    }

    /** Waits until all tasks have heard, so that what is emitted from now on is seen; not for one that is being rebuilt. */
    private static void awaitSwitched(CompletableFuture<Void> done) {
        try {
            done.get(SWITCHING_TIME.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            // It goes on in their own time.
        }
    }

    synchronized void activate() {
        if (!killed) {
            engine.activate();
        }
    }

    synchronized void deactivate() {
        engine.deactivate();
    }

    /**
     * Changes how the topology runs, and returns when that is done; one change at a time.
     *
     * @param change numbers of executors alone, if it runs in this process
     * @return false when user code did not return in time, or when the topology is ending
     * @throws IllegalStateException when it is being changed already, or when it could not be done
     */
    boolean rebalance(TopologyChange change, Duration limit) throws InterruptedException {
        if (!rebalancing.compareAndSet(false, true)) {
            throw new IllegalStateException(
                    "topology '" + name + "' is being rebalanced already; try again when that is done");
        }
        try {
            if (isKilled()) {
                return false;
            }
            return engine instanceof RemoteEngine remote
                    ? changeRemote(remote, change, limit)
                    : change.executors().isEmpty() || engine.rebalance(change.executors(), limit);
        } finally {
            rebalancing.set(false);
        }
    }

    private synchronized boolean isKilled() {
        return killed;
    }

    private boolean changeRemote(RemoteEngine remote, TopologyChange change, Duration limit)
            throws InterruptedException {
        Map<String, Object> changed = new HashMap<>(conf);
        changed.putAll(change.conf());
        Map<String, Object> whole = new HashMap<>(engine.plan().conf());
        whole.putAll(change.conf());
        Map<String, Object> overrides = new HashMap<>(change.conf());
        overrides.putAll(Serializations.of(topology, whole));
        TopologyChange complete = new TopologyChange(change.executors(), change.workers(), overrides);
        boolean done = remote.change(complete, limit);
        if (done) {
            conf = changed;
        }
        return done;
    }

    /** Wakes the event loops, so that they see a simulated time that has moved on: being told the state they are in. */
    synchronized void wake() {
        if (engine.isActive()) {
            engine.activate();
        } else {
            engine.deactivate();
        }
    }

    /**
     * Begins the end: no more tuples from spouts, then up to {@code drain} for what is in flight, then everything is
     * closed. A second call may shorten the drain, never lengthen it.
     *
     * @param drain the most to wait for tuples in flight; zero loses them
     * @param whenGone run, on the killing thread, when nothing is left of the topology
     */
    synchronized void kill(Duration drain, Runnable whenGone) {
        long until = System.nanoTime() + drain.toNanos();
        if (killed) {
            drainUntilNanos = drainUntilNanos - until < 0 ? drainUntilNanos : until;
            return;
        }
        killed = true;
        drainUntilNanos = until;
        engine.deactivate();
        Thread killer = new Thread(() -> end(whenGone), "kill-" + id);
        killer.setDaemon(true);
        killer.start();
    }

    /**
     * Waits until the topology that is being killed is gone, a little longer than its drain may take at the most.
     *
     * @throws RuntimeException what a component or hook threw at its end
     */
    void awaitGone() {
        long patience = Math.max(0, drainUntilNanos - System.nanoTime()) + CLOSING_TIME.toNanos();
        try {
            gone.get(patience, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (TimeoutException e) {
            return; // it goes on ending on its own thread
        } catch (ExecutionException e) {
            throw new IllegalStateException("topology '" + name + "' did not end cleanly: " + e.getCause(), e);
        }
    }

    private void end(Runnable whenGone) {
        try {
            drain();
            closeAll();
            whenGone.run();
            gone.complete(null);
        } catch (RuntimeException | Error e) {
            whenGone.run();
            gone.completeExceptionally(e);
        }
    }

    private void drain() {
        try {
            long begun = System.nanoTime();
            boolean told = false;
            long left = drainUntilNanos - begun;
            while (left > 0 && engine.death() == null) {
                if (engine.awaitIdle(min(Duration.ofNanos(left), DRAIN_STEP))) {
                    return;
                }
                if (!told && System.nanoTime() - begun > QUIET_DRAIN.toNanos()) {
                    told = true;
                    HeldInWindows.of(engine).ifPresent(line -> LOG.warn("the end of topology '{}' {}", name, line));
                }
                left = drainUntilNanos - System.nanoTime();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void closeAll() {
        try {
            engine.close();
        } finally {
            try {
                contexts.close();
            } finally {
                release.run();
            }
        }
    }

    private static Duration min(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }
}
