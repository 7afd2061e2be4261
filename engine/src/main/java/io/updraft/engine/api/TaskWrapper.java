package io.updraft.engine.api;

import org.apache.storm.spout.ISpout;
import org.apache.storm.spout.ISpoutOutputCollector;
import org.apache.storm.task.IBolt;
import org.apache.storm.task.IOutputCollector;

/**
 * Wraps one instance of a component and its collector, to add hooks, checks or counters. An executor without a wrapped task has
 * no overhead.
 *
 * <p>The methods of this interface are called on the thread that runs the instance. The objects that they return are called on
 * that thread too, except collectors, which any thread of the user's may call at any time.
 *
 * <p>{@code prepare} and {@code open} are called on the instance itself. A wrapped spout may receive, in {@code ack} and
 * {@code fail}, message ids that were emitted before the spout was wrapped.
 */
public interface TaskWrapper {

    /**
     * Wraps a bolt.
     *
     * @param bolt the instance itself
     * @return the bolt that the engine calls
     */
    default IBolt wrapBolt(IBolt bolt) {
        return bolt;
    }

    /**
     * Wraps a spout.
     *
     * @param spout the instance itself
     * @return the spout that the engine calls
     */
    default ISpout wrapSpout(ISpout spout) {
        return spout;
    }

    /**
     * Wraps the collector of a bolt. The bolt keeps its collector object; calls to that object go to the returned collector.
     *
     * @param engine the collector of the engine, which emits and acks
     * @return the collector that receives the bolt's calls
     */
    default IOutputCollector wrapCollector(IOutputCollector engine) {
        return engine;
    }

    /**
     * Wraps the collector of a spout. The spout keeps its collector object; calls to that object go to the returned collector.
     *
     * @param engine the collector of the engine, which emits
     * @return the collector that receives the spout's calls
     */
    default ISpoutOutputCollector wrapCollector(ISpoutOutputCollector engine) {
        return engine;
    }
}
