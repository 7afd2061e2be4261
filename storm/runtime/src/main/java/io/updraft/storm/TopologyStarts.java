package io.updraft.storm;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.thrift.TException;
import org.apache.storm.utils.WrappedAlreadyAliveException;

/**
 * The starts of topologies of one cluster: those in progress, with the threads that submit them, and the record of those that
 * succeeded or were refused. After {@link #endAll} no topology starts.
 *
 * <p>Safe to use from any thread. No start holds the lock: workers may take minutes until they run, and others must not wait.
 */
final class TopologyStarts {
    private static final int MAX_IDS = 1000;

    /** Exceeds the time that it takes to kill workers which do not stop. */
    private static final Duration MAX_WAIT = Duration.ofSeconds(20);

    private static final long POLL_MILLIS = 1000;

    /** The starts of the host cluster, which counts those of its guests too; null if there is no host. */
    private final TopologyStarts host;

    private final TopologyRegistry topologies;
    private final AtomicInteger started = new AtomicInteger();
    private final Deque<String> ids = new ArrayDeque<>();
    private final Map<String, Thread> starting = new HashMap<>();

    /** The threads that {@link #endAll} has interrupted. */
    private final Set<Thread> interrupted = new HashSet<>();

    private volatile InvalidTopologyException lastRefusal;
    private volatile boolean closed;

    TopologyStarts(TopologyStarts host, TopologyRegistry topologies) {
        this.host = host;
        this.topologies = topologies;
    }

    public int started() {
        return started.get();
    }

    /** {@return the last refusal of a topology, or null; needed because some programs swallow the exception} */
    public InvalidTopologyException lastRefusal() {
        return lastRefusal;
    }

    /** {@return the ids of the last started topologies, the newest last} */
    synchronized List<String> ids() {
        return new ArrayList<>(ids);
    }

    synchronized boolean isFree(String topologyName) {
        return !isClosed() && !isTaken(topologyName);
    }

    private boolean isTaken(String topologyName) {
        return topologies.has(topologyName) || starting.containsKey(topologyName);
    }

    boolean isClosed() {
        return closed || host != null && host.isClosed();
    }

    void refused(InvalidTopologyException refusal) {
        lastRefusal = refusal;
        if (host != null) {
            host.refused(refusal);
        }
    }

    synchronized void begin(String name) throws TException {
        if (isClosed()) {
            throw closed(null);
        }
        if (isTaken(name)) {
            throw new WrappedAlreadyAliveException(
                    "a topology named '" + name + "' is already running; kill it first or choose another name");
        }
        starting.put(name, Thread.currentThread());
    }

    synchronized void succeeded(EmbeddedTopology topology) {
        if (isClosed()) {
            throw closed(null);
        }
        topologies.add(topology);
        count();
        ids.add(topology.id());
        if (ids.size() > MAX_IDS) {
            ids.remove();
        }
    }

    private void count() {
        started.incrementAndGet();
        if (host != null) {
            host.count();
        }
    }

    /** Ends a start on the thread that began it, whether it succeeded or not. */
    synchronized void ended(String name) {
        starting.remove(name);
        if (interrupted.remove(Thread.currentThread())) {
            // The interrupt was meant for this start only: see endAll.
            Thread.interrupted();
        }
        notifyAll();
    }

    static IllegalStateException closed(Throwable cause) {
        return new IllegalStateException("the cluster is closed and accepts no topologies", cause);
    }

    /** Closes the cluster for starts: interrupts the threads that are starting topologies, and waits until these starts have ended. */
    synchronized void endAll() {
        long deadline = System.nanoTime() + MAX_WAIT.toNanos();
        closed = true;
        for (Thread thread : starting.values()) {
            if (thread != Thread.currentThread() && interrupted.add(thread)) {
                thread.interrupt();
            }
        }
        try {
            while (!interrupted.isEmpty() && System.nanoTime() - deadline < 0) {
                wait(POLL_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
