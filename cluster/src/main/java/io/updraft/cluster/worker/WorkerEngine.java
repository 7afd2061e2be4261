package io.updraft.cluster.worker;

import io.updraft.cluster.link.Endpoints;
import io.updraft.cluster.link.PeerAddress;
import io.updraft.cluster.link.Traffic;
import io.updraft.cluster.link.WorkerLink;
import io.updraft.engine.api.EngineClock;
import io.updraft.engine.api.EngineOptions;
import io.updraft.engine.api.TopologyEngine;
import io.updraft.engine.api.WorkerOptions;
import io.updraft.engine.plan.Plan;
import io.updraft.engine.run.Engine;
import io.updraft.engine.snapshot.ComponentSnapshot;
import io.updraft.engine.snapshot.EngineSnapshot;
import io.updraft.engine.snapshot.ErrorReport;
import io.updraft.engine.snapshot.RunningCode;
import io.updraft.storm.context.TopologyContexts;
import io.updraft.transport.TransportException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One worker's engine, with its contexts and its link to the other workers. Methods may be called from any thread except those
 * of the engine.
 */
public final class WorkerEngine implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerEngine.class);

    private final Engine engine;
    private final TopologyContexts contexts;

    /** Null if there is only one worker. */
    private final WorkerLink link;

    private final RefusedTupleErrors refusals;
    private final LiveSettings settings;

    private WorkerEngine(Engine engine, TopologyContexts contexts, WorkerLink link, RefusedTupleErrors refusals) {
        this.engine = engine;
        this.contexts = contexts;
        this.link = link;
        this.refusals = refusals;
        this.settings = new LiveSettings(engine.plan(), contexts);
    }

    /**
     * Starts a worker's part of a topology, with inactive spouts. User classes are loaded with the calling thread's context
     * class loader.
     *
     * @param spec the topology and the place of the worker in it
     * @param onError receives each failure of user code and each tuple that could not be sent or read; must not block
     * @param onDeath receives, once, the failure because of which the engine stops
     * @param onLinkFailure receives the error after which the link to the other workers cannot go on; called on the link's
     *     thread
     * @return the worker's engine
     * @throws io.updraft.engine.plan.InvalidTopology when the topology cannot be planned
     * @throws TransportException when the worker cannot listen for the others
     */
    public static WorkerEngine start(
            WorkerSpec spec,
            Consumer<ErrorReport> onError,
            Consumer<ErrorReport> onDeath,
            Consumer<Throwable> onLinkFailure)
            throws TransportException {
        RefusedTupleErrors refusals = new RefusedTupleErrors(onError);
        WorkerLink link = null;
        if (spec.assignment().workers() > 1) {
            link = WorkerLink.open(spec.link(), refusals, onLinkFailure);
        }
        TopologyContexts contexts = spec.contexts();
        try {
            Engine engine = Engine.startWorker(
                    spec.topology(),
                    spec.conf(),
                    new EngineOptions(
                            spec.name(), spec.id(), contexts, EngineClock.SYSTEM, spec.seed(), onError, onDeath),
                    spec.assignment(),
                    new WorkerOptions(spec.worker(), spec.incarnation(), link == null ? () -> {} : link::wake));
            contexts.start(engine.plan());
            if (link != null) {
                link.start(engine.remote(), engine.plan(), contexts.tupleContext(engine.plan()));
            }
            return new WorkerEngine(engine, contexts, link, refusals);
        } catch (RuntimeException | Error e) {
            if (link != null) {
                link.close();
            }
            throw e;
        }
    }

    /** {@return the plan of the running topology} */
    public Plan plan() {
        return engine.plan();
    }

    /**
     * Handles a thread that has called {@code System.exit}.
     *
     * @param thread the thread
     * @param stack its stack
     * @return whether the thread runs code of a component
     */
    public boolean exitCalled(Thread thread, StackTraceElement[] stack) {
        return engine.exitCalled(thread, stack);
    }

    /**
     * Finds the code of components that threads of this process run.
     *
     * @param stacks threads with their stacks
     * @return the code of each thread that runs code of a component
     */
    public Map<Thread, RunningCode> codeOf(Map<Thread, StackTraceElement[]> stacks) {
        return engine.codeOf(stacks);
    }

    /** {@return the names of the classes of each component that has tasks in this process} */
    public Map<String, Set<String>> componentClasses() {
        return engine.componentClasses();
    }

    /** {@return the addresses on which this worker listens for others, or null if there are none} */
    public Endpoints address() {
        return link == null ? null : link.endpoints();
    }

    /**
     * Sets the current addresses of the other workers. A worker without an address has ended.
     *
     * @param workers the workers that can be reached; this worker may be among them
     */
    public void setPeers(List<PeerAddress> workers) {
        if (link != null) {
            link.setPeers(workers);
        }
    }

    /**
     * Activates or deactivates the spouts.
     *
     * @param active whether they emit
     */
    public void setActive(boolean active) {
        if (active) {
            engine.activate();
        } else {
            engine.deactivate();
        }
    }

    /** {@return this worker's part of the topology} */
    public TopologyEngine topology() {
        return engine;
    }

    /** {@return the settings that can change while the topology runs} */
    public LiveSettings settings() {
        return settings;
    }

    /**
     * {@return whether this worker is connected to all others that can be reached}
     *
     * @throws InterruptedException when the calling thread is interrupted
     */
    public boolean isConnected() throws InterruptedException {
        return link == null || link.isConnected();
    }

    /**
     * {@return the traffic between this worker and the others; it is quiet only if nothing is in flight in the engine either}
     *
     * @throws InterruptedException when the calling thread is interrupted
     */
    public Traffic traffic() throws InterruptedException {
        Traffic traffic = link == null ? Traffic.NONE : link.traffic();
        boolean quiet = traffic.quiet() && engine.awaitIdle(Duration.ZERO);
        return new Traffic(quiet, traffic.sent(), traffic.received());
    }

    /** {@return the current state; its errors include tuples that could not be sent or read} */
    public EngineSnapshot snapshot() {
        return refusals.addTo(engine.snapshot());
    }

    /** Stops at once. Tuples in flight are lost; components are closed. */
    @Override
    public void close() {
        try {
            engine.close();
            settings.close();
            closeContexts();
        } finally {
            if (link != null) {
                link.close();
            }
        }
    }

    /** Closes the contexts. A worker hook that fails must not keep the worker from reporting its last state. */
    private void closeContexts() {
        try {
            contexts.close();
        } catch (RuntimeException e) {
            LOG.error("closing the resources that the worker's components share has failed", e);
            String during = "the end of worker hooks";
            refusals.accept(
                    new ErrorReport(System.currentTimeMillis(), null, -1, during, e, "the worker ends nevertheless"));
        }
    }

    /**
     * Collects the tuples that could not be sent to or read from another worker: errors that the engine does not count. All are
     * counted, and the newest are kept.
     */
    static final class RefusedTupleErrors implements Consumer<ErrorReport> {
        private static final int MAX_KEPT = 16;

        private final ArrayDeque<ErrorReport> newest = new ArrayDeque<>();
        private final Map<String, Long> counts = new HashMap<>();
        private final Consumer<ErrorReport> next;

        RefusedTupleErrors(Consumer<ErrorReport> next) {
            this.next = next;
        }

        @Override
        public void accept(ErrorReport report) {
            synchronized (newest) {
                if (report.componentId() != null) {
                    counts.merge(report.componentId(), 1L, Long::sum);
                }
                newest.add(report);
                if (newest.size() > MAX_KEPT) {
                    newest.remove();
                }
            }
            next.accept(report);
        }

        EngineSnapshot addTo(EngineSnapshot snapshot) {
            List<ErrorReport> errors = new ArrayList<>(snapshot.recentErrors());
            List<ComponentSnapshot> components;
            synchronized (newest) {
                errors.addAll(newest);
                components = snapshot.components().stream()
                        .map(component -> component.plusErrors(counts.getOrDefault(component.id(), 0L)))
                        .toList();
            }
            return new EngineSnapshot(
                    snapshot.uptimeNanos(),
                    snapshot.active(),
                    components,
                    snapshot.edges(),
                    snapshot.loopBusyNanos(),
                    snapshot.inFlightTrees(),
                    errors,
                    snapshot.calls(),
                    snapshot.keyed(),
                    snapshot.moves(),
                    snapshot.lastSeen());
        }
    }
}
