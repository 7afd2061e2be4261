package io.updraft.engine;

import io.updraft.engine.metrics.EngineSnapshot;
import io.updraft.engine.plan.Plan;
import java.time.Duration;
import java.util.Map;
import org.apache.storm.generated.StormTopology;

/**
 * One running topology in this JVM.
 *
 * <p>All methods may be called from any thread but those of the engine itself.
 */
public final class Engine implements AutoCloseable {

    private final Plan plan;

    private Engine(Plan plan) {
        this.plan = plan;
    }

    /**
     * Plans the topology and starts it, spouts inactive.
     *
     * @param topology what to run
     * @param conf the user's configuration; Storm's defaults lie below it
     * @param options the caller's own decisions
     * @return the running engine
     * @throws io.updraft.engine.plan.InvalidTopology when the topology cannot be planned; nothing was started
     */
    public static Engine start(StormTopology topology, Map<String, Object> conf, EngineOptions options) {
        throw new UnsupportedOperationException();
    }

    /** {@return the plan that is run} */
    public Plan plan() {
        return plan;
    }

    /** Asks the spouts for tuples from now on. */
    public void activate() {}

    /** Asks the spouts for no more tuples; everything in flight goes on. */
    public void deactivate() {}

    /** {@return whether spouts are asked for tuples} */
    public boolean isActive() {
        return false;
    }

    /**
     * Waits until nothing is in flight: every tuple executed and every tuple tree completed. Only meaningful when
     * the spouts are inactive or have nothing more to emit.
     *
     * @param limit how long to wait at the most
     * @return whether the engine was idle in time
     * @throws InterruptedException when the calling thread is interrupted
     */
    public boolean awaitIdle(Duration limit) throws InterruptedException {
        return false;
    }

    /** {@return the state of the topology now} */
    public EngineSnapshot snapshot() {
        return null;
    }

    /** {@return the failure that ended the engine, or null while it is alive or was closed by its owner} */
    public ErrorReport death() {
        return null;
    }

    /** Stops at once: what is in flight is lost, {@code close} and {@code cleanup} are called. Idempotent. */
    @Override
    public void close() {}
}
