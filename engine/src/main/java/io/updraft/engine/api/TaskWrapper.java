package io.updraft.engine.api;

import org.apache.storm.spout.ISpout;
import org.apache.storm.spout.ISpoutOutputCollector;
import org.apache.storm.task.IBolt;
import org.apache.storm.task.IOutputCollector;

/**
 * Puts something between the engine and one instance of a component: hooks, checks, counts. The tasks of an executor of which
 * none is wrapped pay nothing for it.
 *
 * <p>The methods that wrap are called on the thread that runs the instance. What they return is called on that thread too, but
 * for collectors, which threads of the user's may call at any time.
 *
 * <p>{@code prepare} and {@code open} are called on the instance itself. A wrapped spout may be given, in {@code ack} and
 * {@code fail}, the message ids of the time before it was wrapped.
 */
public interface TaskWrapper {

    /**
     * Wraps a bolt.
     *
     * @param bolt the instance itself
     * @return what the engine is to call
     */
    default IBolt wrapBolt(IBolt bolt) {
        return bolt;
    }

    /**
     * Wraps a spout.
     *
     * @param spout the instance itself
     * @return what the engine is to call
     */
    default ISpout wrapSpout(ISpout spout) {
        return spout;
    }

    /**
     * Wraps what a bolt emits and acks with. It keeps the object it was given; calls of that come to what is returned here.
     *
     * @param engine emits and acks
     * @return what the bolt's calls come to
     */
    default IOutputCollector wrapCollector(IOutputCollector engine) {
        return engine;
    }

    /**
     * Wraps what a spout emits with. It keeps the object it was given; calls of that come to what is returned here.
     *
     * @param engine emits
     * @return what the spout's calls come to
     */
    default ISpoutOutputCollector wrapCollector(ISpoutOutputCollector engine) {
        return engine;
    }
}
