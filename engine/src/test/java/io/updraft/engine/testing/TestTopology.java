package io.updraft.engine.testing;

import io.updraft.engine.api.ContextFactory;
import io.updraft.engine.api.EngineClock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Tuple;

/** A topology builder with the wiring that most tests want, and the engines that run it until the test closes it. */
public final class TestTopology extends TopologyBuilder implements AutoCloseable {
    private final List<TestEngine> engines = new ArrayList<>();

    /** Adds the spout "spout" of a feed, and returns the feed. */
    public Feed feed(Feed feed) {
        setSpout("spout", feed.spout());
        return feed;
    }

    /** Adds the spout "spout" of a feed, and returns the feed. */
    public Feed feed(Feed feed, int executors) {
        setSpout("spout", feed.spout(), executors);
        return feed;
    }

    /** Adds a bolt of one executor with a shuffle grouping; see {@link TestBolt#of}. */
    public void bolt(String id, String from, BiConsumer<Tuple, OutputCollector> execute) {
        setBolt(id, TestBolt.of(execute)).shuffleGrouping(from);
    }

    /** Adds a bolt with a shuffle grouping; see {@link TestBolt#of}. */
    public void bolt(String id, int executors, String from, BiConsumer<Tuple, OutputCollector> execute) {
        setBolt(id, TestBolt.of(execute), executors).shuffleGrouping(from);
    }

    /** Starts it without configuration and activates it. */
    public TestEngine run() {
        return run(Map.of());
    }

    /** Starts it and activates it. */
    public TestEngine run(Map<String, Object> conf) {
        return closing(TestEngine.run(this, conf));
    }

    /** Starts it with the time of a clock, and activates it. */
    public TestEngine run(Map<String, Object> conf, EngineClock clock) {
        return closing(TestEngine.run(this, conf, clock));
    }

    /** Starts it with contexts of the test's own, and activates it. */
    public TestEngine run(Map<String, Object> conf, ContextFactory contexts) {
        return closing(TestEngine.run(this, conf, contexts));
    }

    /** Starts it, inactive. */
    public TestEngine start(Map<String, Object> conf) {
        return closing(TestEngine.start(this, conf));
    }

    private TestEngine closing(TestEngine engine) {
        engines.add(engine);
        return engine;
    }

    @Override
    public void close() {
        engines.forEach(TestEngine::close);
    }
}
