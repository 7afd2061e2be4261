package io.updraft.storm;

import io.updraft.engine.api.TopologyEngine;
import java.time.Duration;
import java.util.Map;
import org.apache.storm.generated.DebugOptions;
import org.apache.storm.generated.LogConfig;

/**
 * An engine whose components run in other processes, the workers. Switches at run time are sent to the workers. Each call sends
 * the whole state, which also applies to workers that start later.
 *
 * <p>All methods may be called from any thread.
 */
public interface RemoteEngine extends TopologyEngine {

    /**
     * Switches which tuples components send to the event logger, by component, or by the topology's id for all components.
     * Returns when all workers have switched, or a little later if a worker does not answer.
     *
     * @param options all options
     */
    void setDebug(Map<String, DebugOptions> options);

    /**
     * Sets all levels that the topology has set. Returns when all workers have changed them, or a little later if a worker does
     * not answer.
     *
     * @param levels all levels
     */
    void setLogLevels(LogConfig levels);

    /**
     * Runs the topology in new workers, by a new plan. Spouts stop emitting, tuples in flight are drained, the workers end, new
     * ones start, and spouts are activated again if they were active. Tasks keep their numbers; their instances are new.
     * Switches at run time and counts carry over to the new workers. Returns when that is complete, or at once if nothing
     * changes. If the calling thread is interrupted, the change continues without it.
     *
     * @param change the differences
     * @param limit how long to wait for tuples in flight; the rest are lost, as when a worker dies
     * @return false when the topology is ending or has died
     * @throws io.updraft.engine.plan.InvalidTopology when the topology cannot run with the change; it runs on unchanged
     * @throws IllegalStateException when another change is in progress, or when the new workers cannot be started: then workers
     *     of the old plan are started again, and the message says so
     * @throws InterruptedException when the calling thread is interrupted
     */
    boolean change(TopologyChange change, Duration limit) throws InterruptedException;

    /** {@inheritDoc} This is a {@link #change} of executors only: instances of tasks are new. */
    @Override
    default boolean rebalance(Map<String, Integer> executors, Duration limit) throws InterruptedException {
        return change(TopologyChange.ofExecutors(executors), limit);
    }
}
