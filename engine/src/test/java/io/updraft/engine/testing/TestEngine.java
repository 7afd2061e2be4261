package io.updraft.engine.testing;

import io.updraft.base.testing.Await;
import io.updraft.engine.api.ContextFactory;
import io.updraft.engine.api.EngineClock;
import io.updraft.engine.api.EngineOptions;
import io.updraft.engine.run.Engine;
import io.updraft.engine.snapshot.ComponentSnapshot;
import io.updraft.engine.snapshot.ErrorReport;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import org.apache.storm.topology.TopologyBuilder;

/** A running engine, with the errors and the death that it has reported. */
public final class TestEngine implements AutoCloseable {

    /** All failures reported, in order. */
    public final ConcurrentLinkedQueue<ErrorReport> errors = new ConcurrentLinkedQueue<>();

    /** What onDeath was called with, in order. */
    public final ConcurrentLinkedQueue<ErrorReport> deaths = new ConcurrentLinkedQueue<>();

    /** The engine itself. */
    public final Engine engine;

    private TestEngine(TopologyBuilder topology, Map<String, Object> conf, EngineClock clock) {
        this(topology, conf, clock, new TestContexts());
    }

    private TestEngine(TopologyBuilder topology, Map<String, Object> conf, EngineClock clock, ContextFactory contexts) {
        engine = Engine.start(
                topology.createTopology(),
                new HashMap<>(conf),
                new EngineOptions("test", "test-1", contexts, clock, 42, errors::add, deaths::add));
    }

    /** Starts a topology with contexts of the test's own, and activates it. */
    public static TestEngine run(TopologyBuilder topology, Map<String, Object> conf, ContextFactory contexts) {
        TestEngine started = new TestEngine(topology, conf, EngineClock.SYSTEM, contexts);
        started.engine.activate();
        return started;
    }

    /** Starts a topology, inactive. */
    public static TestEngine start(TopologyBuilder topology, Map<String, Object> conf) {
        return new TestEngine(topology, conf, EngineClock.SYSTEM);
    }

    /** Starts a topology and activates it. */
    public static TestEngine run(TopologyBuilder topology, Map<String, Object> conf) {
        return run(topology, conf, EngineClock.SYSTEM);
    }

    /** Starts a topology without configuration and activates it. */
    public static TestEngine run(TopologyBuilder topology) {
        return run(topology, Map.of());
    }

    /** Starts a topology that takes the time from a clock, and activates it. */
    public static TestEngine run(TopologyBuilder topology, Map<String, Object> conf, EngineClock clock) {
        TestEngine started = new TestEngine(topology, conf, clock);
        started.engine.activate();
        return started;
    }

    /** Waits until a condition holds; the message of the failure shows the snapshot. */
    public void await(String what, BooleanSupplier holds) {
        Await.until(what, holds::getAsBoolean, () -> engine.snapshot());
    }

    /** What one component has done. */
    public ComponentSnapshot component(String id) {
        for (ComponentSnapshot each : engine.snapshot().components()) {
            if (each.id().equals(id)) {
                return each;
            }
        }
        throw new AssertionError("no component " + id);
    }

    /** The failures of one component. */
    public List<ErrorReport> errorsOf(String component) {
        return errors.stream().filter(e -> e.componentId().equals(component)).toList();
    }

    @Override
    public void close() {
        engine.close();
    }
}
