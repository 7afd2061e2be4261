package io.updraft.cluster.local;

import io.updraft.cluster.local.ControlMessage.Assignment;
import io.updraft.cluster.local.ControlMessage.WorkerAddress;
import io.updraft.engine.Engine;
import io.updraft.engine.api.EngineClock;
import io.updraft.engine.api.EngineOptions;
import io.updraft.engine.api.ErrorReport;
import io.updraft.engine.metrics.EngineSnapshot;
import io.updraft.storm.JarRunException;
import io.updraft.storm.JarRunner;
import io.updraft.storm.TopologyContexts;
import io.updraft.transport.Address;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.utils.Utils;

/** One worker's engine with its classes, its contexts and its link to the other workers. */
final class WorkerEngine {
    private final Engine engine;
    private final TopologyContexts contexts;

    private WorkerEngine(Engine engine, TopologyContexts contexts) {
        this.engine = engine;
        this.contexts = contexts;
    }

    static WorkerEngine start(
            Assignment assignment,
            int worker,
            long incarnation,
            Consumer<ErrorReport> onError,
            Consumer<ErrorReport> onDeath)
            throws JarRunException {
        if (assignment.jar() != null) {
            // Stays open: topologies load classes for as long as they run.
            JarRunner jar = JarRunner.open(Path.of(assignment.jar()));
            Thread.currentThread().setContextClassLoader(jar.loader());
        }
        StormTopology topology = Utils.thriftDeserialize(StormTopology.class, assignment.topology());
        Map<String, Object> conf = Utils.parseJson(assignment.conf());
        TopologyContexts contexts = new TopologyContexts(worker);
        Engine engine = Engine.start(
                topology,
                conf,
                new EngineOptions(
                        assignment.name(),
                        assignment.id(),
                        contexts,
                        EngineClock.SYSTEM,
                        assignment.seed() + worker,
                        onError,
                        onDeath));
        return new WorkerEngine(engine, contexts);
    }

    /** {@return where this worker listens for others, or null if there are none} */
    Address address() {
        return null;
    }

    void setPeers(List<WorkerAddress> workers) {}

    void activate() {
        engine.activate();
    }

    void deactivate() {
        engine.deactivate();
    }

    boolean isIdle() throws InterruptedException {
        return engine.awaitIdle(Duration.ZERO);
    }

    long sent() {
        return 0;
    }

    long received() {
        return 0;
    }

    EngineSnapshot snapshot() {
        return engine.snapshot();
    }

    void close() {
        try {
            engine.close();
        } finally {
            contexts.close();
        }
    }
}
