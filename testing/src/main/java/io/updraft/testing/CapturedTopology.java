package io.updraft.testing;

import org.apache.storm.testing.TupleCaptureBolt;

/**
 * A topology whose tuples are all kept. The fields are public, as those of Storm's {@code Testing.CapturedTopology} are.
 *
 * @param <T> the topology's kind: plain, or tracked
 */
public final class CapturedTopology<T> {

    /** The topology. */
    public final T topology;

    /** Has the tuples. */
    public final TupleCaptureBolt capturer;

    /**
     * Joins the two.
     *
     * @param topology the topology
     * @param capturer has the tuples
     */
    public CapturedTopology(T topology, TupleCaptureBolt capturer) {
        this.topology = topology;
        this.capturer = capturer;
    }

    /** {@return the topology} */
    public T topology() {
        return topology;
    }

    /** {@return what has the tuples} */
    public TupleCaptureBolt capturer() {
        return capturer;
    }
}
