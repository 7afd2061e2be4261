package io.updraft.engine.testing;

import java.util.function.BiConsumer;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Tuple;

/** A topology builder with the wiring that most tests want: a bolt of one action that takes the tuples of one component. */
public final class TestTopology extends TopologyBuilder {

    /** Adds a bolt of one executor with a shuffle grouping; see {@link TestBolt#of}. */
    public void bolt(String id, String from, BiConsumer<Tuple, OutputCollector> execute) {
        setBolt(id, TestBolt.of(execute)).shuffleGrouping(from);
    }

    /** Adds a bolt with a shuffle grouping; see {@link TestBolt#of}. */
    public void bolt(String id, int executors, String from, BiConsumer<Tuple, OutputCollector> execute) {
        setBolt(id, TestBolt.of(execute), executors).shuffleGrouping(from);
    }
}
