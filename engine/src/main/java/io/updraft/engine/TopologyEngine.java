package io.updraft.engine;

import io.updraft.engine.api.ErrorReport;
import io.updraft.engine.metrics.EngineSnapshot;
import io.updraft.engine.plan.Plan;
import java.time.Duration;
import java.util.Map;

/**
 * One running topology, wherever it runs: in this JVM ({@link Engine}) or in worker processes.
 *
 * <p>All methods may be called from any thread but those that run user code of the topology.
 */
public interface TopologyEngine extends AutoCloseable {

    /** {@return the plan that is run} */
    Plan plan();

    /** Asks the spouts for tuples from now on. */
    void activate();

    /** Asks the spouts for no more tuples; everything in flight goes on. */
    void deactivate();

    /** {@return whether spouts are asked for tuples} */
    boolean isActive();

    /**
     * Waits until nothing is in flight: every tuple executed and every tuple tree completed. Only meaningful when
     * the spouts are inactive or have nothing more to emit.
     *
     * @param limit how long to wait at the most
     * @return whether the topology was idle in time
     * @throws InterruptedException when the calling thread is interrupted
     */
    boolean awaitIdle(Duration limit) throws InterruptedException;

    /**
     * Waits until every tuple that was emitted is executed. Unlike with {@link #awaitIdle}, bolts may hold on to tuples whose
     * trees stay open, and acks may be on their way to spouts.
     *
     * @param limit how long to wait at the most
     * @return whether it was so in time
     * @throws UnsupportedOperationException when it cannot be known where the topology runs
     * @throws InterruptedException when the calling thread is interrupted
     */
    default boolean awaitExecuted(Duration limit) throws InterruptedException {
        throw new UnsupportedOperationException(
                "of a topology that runs in worker processes it is not known what is queued; wait with awaitIdle");
    }

    /**
     * Changes the numbers of executors of some components while the topology runs. Tasks keep their instances and what is
     * queued for them; {@link #plan} shows the change.
     *
     * @param executors the numbers by component, at least 1 each; a component has no more executors than tasks
     * @param limit how long messages in flight of a spout that is changed are waited for before they fail
     * @return false when user code did not return in time, or a spout had emitted anew what had failed, and that was
     *     not done ten seconds later either; then nothing has changed, except that messages may have failed
     * @throws io.updraft.engine.plan.InvalidTopology when there is no such component, or none can have such a number
     * @throws InterruptedException when the calling thread is interrupted
     */
    boolean rebalance(Map<String, Integer> executors, Duration limit) throws InterruptedException;

    /** {@return the state of the topology now, or its last one when it is closed} */
    EngineSnapshot snapshot();

    /** {@return the failure that ended the topology, or null while it is alive or was closed by its owner} */
    ErrorReport death();

    /**
     * Takes note of a thread of this JVM that has asked it to exit, and never goes on while the exit is held up. If it runs code of a
     * component, the topology dies of it as of a failure, whatever {@code updraft.on.error} says: the component's thread is lost.
     *
     * @param thread the thread
     * @param stack its stack
     * @return whether the code is that of a component of this topology
     */
    default boolean exitCalled(Thread thread, StackTraceElement[] stack) {
        return false;
    }

    /** Stops at once: what is in flight is lost, {@code close} and {@code cleanup} are called. Idempotent. */
    @Override
    void close();
}
