package io.updraft.cluster.local;

import io.updraft.cluster.link.Endpoints;
import io.updraft.cluster.link.LinkOptions;
import io.updraft.cluster.link.PeerAddress;
import io.updraft.cluster.link.Traffic;
import io.updraft.cluster.link.WorkerLink;
import io.updraft.cluster.local.ControlMessage.Assignment;
import io.updraft.cluster.local.ControlMessage.WorkerAddress;
import io.updraft.engine.Engine;
import io.updraft.engine.api.EngineClock;
import io.updraft.engine.api.EngineOptions;
import io.updraft.engine.api.ErrorReport;
import io.updraft.engine.api.WorkerOptions;
import io.updraft.engine.metrics.EngineSnapshot;
import io.updraft.storm.JarRunException;
import io.updraft.storm.JarRunner;
import io.updraft.storm.ProgramFiles;
import io.updraft.storm.TopologyContexts;
import io.updraft.transport.Address;
import io.updraft.transport.TransportException;
import io.updraft.transport.TransportNames;
import io.updraft.transport.security.Credentials;
import io.updraft.transport.session.Peer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.utils.Utils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One worker's engine with its classes, its contexts and its link to the other workers. */
final class WorkerEngine {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerEngine.class);
    private static final String HERE = "127.0.0.1";

    private final Engine engine;
    private final TopologyContexts contexts;

    /** Null if there is only one worker. */
    private final WorkerLink link;

    private final Refusals refusals;
    private final LiveSwitches switches;

    private WorkerEngine(Engine engine, TopologyContexts contexts, WorkerLink link, Refusals refusals) {
        this.engine = engine;
        this.contexts = contexts;
        this.link = link;
        this.refusals = refusals;
        this.switches = new LiveSwitches(engine.plan(), contexts);
    }

    static WorkerEngine start(
            Assignment assignment,
            int worker,
            long incarnation,
            Consumer<ErrorReport> onError,
            Consumer<ErrorReport> onDeath,
            Consumer<Throwable> onLinkFailure)
            throws JarRunException, TransportException {
        ProgramFiles program = programOf(assignment);
        if (!program.isEmpty()) {
            // Stays open: topologies load classes for as long as they run.
            Thread.currentThread().setContextClassLoader(JarRunner.open(program).loader());
        }
        Map<String, Object> conf = Utils.parseJson(assignment.conf());
        WorkerLink link = null;
        Refusals refusals = new Refusals(onError);
        if (assignment.workers() > 1) {
            Peer self = new Peer(assignment.id(), worker, incarnation);
            link = WorkerLink.open(linkOptions(assignment, conf, self, refusals, onLinkFailure));
        }
        TopologyContexts contexts = new TopologyContexts(worker);
        Engine engine = Engine.startWorker(
                Utils.thriftDeserialize(StormTopology.class, assignment.topology()),
                conf,
                new EngineOptions(
                        assignment.name(),
                        assignment.id(),
                        contexts,
                        EngineClock.SYSTEM,
                        assignment.seed() + worker,
                        onError,
                        onDeath),
                new WorkerOptions(worker, Math.toIntExact(incarnation), link == null ? () -> {} : link::wake));
        contexts.start(engine.plan());
        if (link != null) {
            link.start(engine.remote(), engine.plan(), contexts.tupleContext(engine.plan()));
        }
        return new WorkerEngine(engine, contexts, link, refusals);
    }

    private static ProgramFiles programOf(Assignment assignment) {
        return new ProgramFiles(
                Optional.ofNullable(assignment.jar()).map(Path::of),
                assignment.behind().stream().map(Path::of).toList());
    }

    private static LinkOptions linkOptions(
            Assignment assignment,
            Map<String, Object> conf,
            Peer self,
            Consumer<ErrorReport> onRefused,
            Consumer<Throwable> onFailure) {
        return new LinkOptions(
                TransportNames.of(conf),
                conf,
                self,
                Credentials.of(assignment.secret()),
                HERE,
                new Address(HERE, 0),
                onRefused,
                onFailure);
    }

    /** Takes note of a thread that has called {@code System.exit}. {@return whether it runs code of a component} */
    boolean exitCalled(Thread thread, StackTraceElement[] stack) {
        return engine.exitCalled(thread, stack);
    }

    /** {@return where this worker listens for others, or null if there are none} */
    Endpoints address() {
        return link == null ? null : link.endpoints();
    }

    void setPeers(List<WorkerAddress> workers) {
        if (link != null) {
            link.setPeers(workers.stream()
                    .map(each -> new PeerAddress(each.worker(), each.incarnation(), each.address()))
                    .toList());
        }
    }

    void activate() {
        engine.activate();
    }

    void deactivate() {
        engine.deactivate();
    }

    /** {@return what is switched while the topology runs} */
    LiveSwitches switches() {
        return switches;
    }

    boolean isIdle() throws InterruptedException {
        return engine.awaitIdle(Duration.ZERO);
    }

    Traffic traffic() throws InterruptedException {
        return link == null ? Traffic.NONE : link.traffic();
    }

    EngineSnapshot snapshot() {
        return refusals.addTo(engine.snapshot());
    }

    void close() {
        try {
            engine.close();
            switches.close();
            closeContexts();
        } finally {
            if (link != null) {
                link.close();
            }
        }
    }

    /** A worker hook that fails at its end must not keep the worker from telling its last state. */
    private void closeContexts() {
        try {
            contexts.close();
        } catch (RuntimeException e) {
            LOG.error("the end of what the worker's components shared has failed", e);
            refusals.accept(new ErrorReport(
                    System.currentTimeMillis(),
                    null,
                    -1,
                    "the end of worker hooks",
                    e,
                    "the worker ends all the same"));
        }
    }
}
