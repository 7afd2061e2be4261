package io.updraft.storm;

import io.updraft.engine.TopologyEngine;
import java.time.Duration;
import java.util.Map;
import org.apache.storm.generated.DebugOptions;
import org.apache.storm.generated.LogConfig;

/**
 * An engine whose components run in other processes. What is switched while a topology runs is told to those. Each call tells
 * the whole state, which holds for processes that are started later too.
 *
 * <p>All methods may be called from any thread.
 */
public interface RemoteEngine extends TopologyEngine {

    /**
     * Switches what components send to the event logger. Returns when the processes have done so, or a little later if one of
     * them does not answer.
     *
     * @param options what was said of debugging, by component, or by the topology's id
     */
    void setDebug(Map<String, DebugOptions> options);

    /**
     * Changes the levels of loggers. Returns when the processes have done so, or a little later if one of them does not answer.
     *
     * @param levels all that the topology has asked for
     */
    void setLogLevels(LogConfig levels);

    /**
     * Runs the topology in new processes, by a new plan: spouts are asked for no more tuples, what is in flight is waited for, the
     * processes end, new ones start, and spouts are asked again if they were. Tasks keep their numbers; their instances are new.
     * What was switched holds for the new processes too, and what was counted still counts. Returns when that is done, or at
     * once if nothing changes. A caller that is interrupted meanwhile leaves it to go on.
     *
     * @param change what is to be different
     * @param limit how long tuples in flight are waited for; those that are not done by then are lost, as when a process dies
     * @return false when the topology is ending, or has died
     * @throws io.updraft.engine.plan.InvalidTopology when it cannot run like that; nothing has changed, it runs on
     * @throws IllegalStateException when another change is under way, or when the new processes could not be started: then
     *     those of the old plan are started again, and the message says so
     * @throws InterruptedException when the calling thread is interrupted
     */
    boolean change(TopologyChange change, Duration limit) throws InterruptedException;

    /** {@inheritDoc} Here that is a {@link #change} like any other: instances of tasks are new. */
    @Override
    default boolean rebalance(Map<String, Integer> executors, Duration limit) throws InterruptedException {
        return change(TopologyChange.ofExecutors(executors), limit);
    }
}
