package io.updraft.storm;

import io.updraft.base.thread.DaemonThreads;
import io.updraft.engine.api.TopologyEngine;
import io.updraft.storm.context.TopologyContexts;
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
 * One topology of a cluster, from its submission until all its resources are released. A separate thread kills it, so that a
 * component may kill the topology in which it runs.
 *
 * <p>Safe to use from any thread.
 */
final class EmbeddedTopology {

    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedTopology.class);

    /** The time between two checks of the time that is left for the drain. */
    private static final Duration DRAIN_STEP = Duration.ofMillis(20);

    /** How long {@link #awaitEnd} waits for components to close, in addition to the drain. */
    private static final Duration CLOSING_TIME = Duration.ofSeconds(15);

    /** How long a drain may take before a log line explains it. */
    private static final Duration QUIET_DRAIN = Duration.ofSeconds(1);

    private static final Duration SWITCHING_TIME = Duration.ofSeconds(2);

    private final String name;
    private final String id;
    private final StormTopology topology;
    private final TopologyEngine engine;
    private final TopologyContexts contexts;
    private final Runnable release;
    private final CountHistory history = new CountHistory();

    /** The debug options of a topology in other processes, by component, or by the topology's id for all components. */
    private final Map<String, DebugOptions> remoteDebug = new ConcurrentHashMap<>();

    private final CompletableFuture<Void> gone = new CompletableFuture<>();
    private final AtomicBoolean rebalancing = new AtomicBoolean();
    private boolean killed;
    private volatile Map<String, Object> conf;
    private volatile long drainUntilNanos;

    EmbeddedTopology(
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

    StormTopology topology() {
        return topology;
    }

    /** The configuration of the submission, as Storm stores it: without the defaults beneath. */
    Map<String, Object> conf() {
        return conf;
    }

    TopologyEngine engine() {
        return engine;
    }

    CountHistory history() {
        return history;
    }

    void recordCounts() {
        history.record(engine.snapshot());
    }

    /** Returns the state in Storm's terms, and {@code DEAD} when the engine has died. */
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

    Map<String, DebugOptions> debugOptions() {
        return engine instanceof RemoteEngine ? Map.copyOf(remoteDebug) : contexts.debugOptions();
    }

    void debug(String component, boolean enable, double samplingPercentage) {
        if (engine instanceof RemoteEngine remote) {
            debug(remote, component, Instruments.debugOptionsOf(enable, samplingPercentage));
            return;
        }
        CompletableFuture<Void> done = contexts.debug(engine.plan(), component, enable, samplingPercentage);
        if (!insideEngine()) {
            awaitSwitched(done);
        }
    }

    /** Returns whether the caller is code of a component, which must not wait for its topology. */
    static boolean insideEngine() {
        return StackWalker.getInstance()
                .walk(frames -> frames.anyMatch(frame -> frame.getClassName().startsWith("io.updraft.engine.")));
    }

    void setCredentials(Map<String, String> credentials) {
        if (engine instanceof RemoteEngine) {
            throw new UnsupportedOperationException(
                    "topology '" + name + "' runs in worker processes, which do not support new credentials");
        }
        contexts.setCredentials(credentials);
    }

    /** Applies one change at a time: each call sends the whole state. */
    private void debug(RemoteEngine remote, String component, DebugOptions options) {
        synchronized (remoteDebug) {
            remoteDebug.put(component == null || component.isEmpty() ? id : component, options);
            remote.setDebug(Map.copyOf(remoteDebug));
        }
    }

    /**
     * Waits until all tasks have switched, so that later emits are seen. Gives up after a limit: a task may be in a restart.
     */
    private static void awaitSwitched(CompletableFuture<Void> done) {
        try {
            done.get(SWITCHING_TIME.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            // The tasks switch later.
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
     * Changes how the topology runs, one change at a time; only numbers of executors if it runs in this process. Returns when
     * the change is complete, or false when user code did not return in time or the topology is ending.
     */
    boolean rebalance(TopologyChange change, Duration limit) throws InterruptedException {
        if (!rebalancing.compareAndSet(false, true)) {
            throw new IllegalStateException(
                    "topology '" + name + "' is already being rebalanced; try again after that rebalance");
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
        overrides.putAll(KryoRegistrations.of(topology, whole));
        TopologyChange complete = new TopologyChange(change.executors(), change.workers(), overrides);
        boolean done = remote.change(complete, limit);
        if (done) {
            conf = changed;
        }
        return done;
    }

    /** Wakes the event loops, so that they read a simulated time that has advanced: sets the state they are in once more. */
    synchronized void wake() {
        if (engine.isActive()) {
            engine.activate();
        } else {
            engine.deactivate();
        }
    }

    /**
     * Begins to end the topology: spouts stop emitting, tuples in flight are drained for up to {@code drain}, then everything
     * is closed, and {@code whenGone} runs on the killing thread. A second call may shorten the drain, never lengthen it.
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
        DaemonThreads.start("kill-" + id, () -> end(whenGone));
    }

    /**
     * Waits until a killed topology has ended: at most its drain plus {@link #CLOSING_TIME}. Throws if a component or hook did
     * at its end.
     */
    void awaitEnd() {
        long limit = Math.max(0, drainUntilNanos - System.nanoTime()) + CLOSING_TIME.toNanos();
        try {
            gone.get(limit, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (TimeoutException e) {
            return; // closing continues on its own thread
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
            boolean explained = false;
            long left = drainUntilNanos - begun;
            while (left > 0 && engine.death() == null) {
                if (engine.awaitIdle(Duration.ofNanos(Math.min(left, DRAIN_STEP.toNanos())))) {
                    return;
                }
                if (!explained && System.nanoTime() - begun > QUIET_DRAIN.toNanos()) {
                    explained = true;
                    CountWindowBacklog.of(engine)
                            .ifPresent(line -> LOG.warn("the drain of topology '{}' {}", name, line));
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
}
